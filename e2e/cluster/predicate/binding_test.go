// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

func volumeIn(phase corev1.PersistentVolumePhase, claim types.UID) *corev1.PersistentVolume {
	volume := &corev1.PersistentVolume{}
	volume.Name, volume.Status.Phase = "pv-1", phase
	volume.Spec.ClaimRef = &corev1.ObjectReference{Name: "claim-1", UID: claim}
	return volume
}

func TestBoundToEachOther(t *testing.T) {
	free := volumeIn(corev1.VolumeAvailable, "")
	free.Spec.ClaimRef = nil
	tests := []struct {
		name   string
		claim  *corev1.PersistentVolumeClaim
		volume *corev1.PersistentVolume
		want   string
	}{
		{"bound to each other", claimIn(corev1.ClaimBound, "pv-1"), volumeIn(corev1.VolumeBound, "uid-1"), satisfied},
		{"named by each other, and not bound yet", claimIn(corev1.ClaimPending, "pv-1"), volumeIn(corev1.VolumeAvailable, ""), notYet},
		{"nothing has happened", claimIn(corev1.ClaimPending, ""), free, notYet},
		{"the volume is behind", claimIn(corev1.ClaimBound, "pv-1"), volumeIn(corev1.VolumeAvailable, "uid-1"), notYet},
		{"the claim has another volume", claimIn(corev1.ClaimBound, "pv-2"), free, forGood},
		{"the volume has another claim", claimIn(corev1.ClaimPending, "pv-1"), volumeIn(corev1.VolumeBound, "uid-2"), forGood},
		{"the volume is lost", claimIn(corev1.ClaimLost, "pv-1"), volumeIn(corev1.VolumeBound, "uid-1"), differs},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, BoundToEachOther(test.claim, test.volume), test.want) })
	}
}

func TestBoundBy(t *testing.T) {
	claim := claimIn(corev1.ClaimBound, "pv-1")
	wantVerdict(t, BoundBy("PersistentVolumeClaim", claim, false), satisfied)
	wantVerdict(t, BoundBy("PersistentVolumeClaim", claim, true), differs, "claim-1")
	claim.Annotations = map[string]string{boundByController: "yes"}
	wantVerdict(t, BoundBy("PersistentVolumeClaim", claim, true), satisfied)
	wantVerdict(t, BoundBy("PersistentVolumeClaim", claim, false), differs, "claim-1")
}

func TestTookVolume(t *testing.T) {
	selected := claimIn(corev1.ClaimPending, "")
	selected.Annotations = map[string]string{selectedNode: "w1"}
	tests := []struct {
		name  string
		pod   *corev1.Pod
		claim *corev1.PersistentVolumeClaim
		want  string
	}{
		{"nothing has happened", podWith(), claimIn(corev1.ClaimPending, ""), notYet},
		{"being bound", podWith(), claimIn(corev1.ClaimPending, "pv-1"), notYet},
		{"took it", podWith(), claimIn(corev1.ClaimBound, "pv-1"), satisfied},
		{"took it, and its pod runs", runningOn("w1"), claimIn(corev1.ClaimBound, "pv-1"), satisfied},
		{"took another", podWith(), claimIn(corev1.ClaimBound, "pv-2"), forGood},
		{"has one created", podWith(), selected, forGood},
		{"its pod runs without a volume", runningOn("w1"), claimIn(corev1.ClaimPending, ""), forGood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantVerdict(t, TookVolume(test.pod, test.claim, "pv-1"), test.want) })
	}
}
