// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"testing"

	"google.golang.org/grpc/codes"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func claimIn(phase corev1.PersistentVolumeClaimPhase, volume string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Name, claim.UID = "claim-1", "uid-1"
	claim.Status.Phase = phase
	claim.Spec.VolumeName = volume
	return claim
}

func provisioningFailed(uid, message string) corev1.Event {
	event := corev1.Event{Type: corev1.EventTypeWarning, Reason: "ProvisioningFailed", Message: message}
	event.InvolvedObject.UID = "uid-1"
	if uid != "" {
		event.InvolvedObject.UID = "uid-2"
	}
	return event
}

func TestClaimBound(t *testing.T) {
	wantVerdict(t, ClaimBound(claimIn(corev1.ClaimBound, "pv-1")), satisfied)
	wantVerdict(t, ClaimBound(claimIn(corev1.ClaimPending, "")), notYet, "claim-1")
	wantVerdict(t, ClaimBound(claimIn(corev1.ClaimLost, "pv-1")), differs)
}

func TestClaimWithoutVolume(t *testing.T) {
	wantVerdict(t, ClaimWithoutVolume(claimIn(corev1.ClaimPending, "")), satisfied)
	wantVerdict(t, ClaimWithoutVolume(claimIn(corev1.ClaimPending, "pv-1")), differs, "pv-1")
	wantVerdict(t, ClaimWithoutVolume(claimIn(corev1.ClaimBound, "pv-1")), differs)
}

func TestClaimWaits(t *testing.T) {
	waits := corev1.Event{Reason: "WaitForFirstConsumer"}
	waits.InvolvedObject.UID = "uid-1"
	tests := []struct {
		name   string
		claim  *corev1.PersistentVolumeClaim
		events []corev1.Event
		want   string
	}{
		{"nothing happened", claimIn(corev1.ClaimPending, ""), nil, unsaid},
		{"waiting for another reason", claimIn(corev1.ClaimPending, ""), []corev1.Event{provisioningFailed("", "")}, unsaid},
		{"waiting", claimIn(corev1.ClaimPending, ""), []corev1.Event{waits}, satisfied},
		{"given a volume", claimIn(corev1.ClaimBound, "pv-1"), nil, forGood},
		{"given a volume after it waited", claimIn(corev1.ClaimPending, "pv-1"), []corev1.Event{waits}, forGood},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, ClaimWaits(test.claim, test.events, "WaitForPodScheduled", "WaitForFirstConsumer"), test.want)
		})
	}
}

func TestProvisioningRefused(t *testing.T) {
	pending, bound := claimIn(corev1.ClaimPending, ""), claimIn(corev1.ClaimBound, "pv-1")
	full := provisioningFailed("", "rpc error: code = ResourceExhausted desc = zone Z2 is full")
	tests := []struct {
		name   string
		claim  *corev1.PersistentVolumeClaim
		events []corev1.Event
		want   string
	}{
		{"nothing happened", pending, nil, notYet},
		{"refused", pending, []corev1.Event{full}, satisfied},
		{"refused, then made elsewhere", bound, []corev1.Event{full}, satisfied},
		{"another claim was refused", pending, []corev1.Event{provisioningFailed("other", full.Message)}, notYet},
		{"made at once", bound, nil, forGood},
		{"refused with another code", pending, []corev1.Event{provisioningFailed("", "rpc error: code = Internal desc = boom")}, forGood},
		{"cut off", pending, []corev1.Event{provisioningFailed("", "rpc error: code = DeadlineExceeded desc = slow")}, differs},
		{"cut off, then refused", pending, []corev1.Event{provisioningFailed("", "rpc error: code = Unavailable desc = no"), full}, satisfied},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, ProvisioningRefused(test.claim, test.events, codes.ResourceExhausted), test.want)
		})
	}
}

func TestBoundOrRefused(t *testing.T) {
	pending, bound := claimIn(corev1.ClaimPending, ""), claimIn(corev1.ClaimBound, "pv-1")
	saying := func(message string) []corev1.Event { return []corev1.Event{provisioningFailed("", message)} }
	tests := []struct {
		name   string
		claim  *corev1.PersistentVolumeClaim
		events []corev1.Event
		want   string
	}{
		{"nothing happened", pending, nil, notYet},
		{"bound", bound, nil, satisfied},
		{"bound after a hitch", bound, saying("rpc error: code = Internal desc = boom"), satisfied},
		{"refused with the first", pending, saying("rpc error: code = ResourceExhausted desc = out of reach"), satisfied},
		{"refused with the second", pending, saying("rpc error: code = InvalidArgument desc = out of reach"), satisfied},
		{"refused with another code", pending, saying("rpc error: code = Internal desc = boom"), differs},
		{"cut off", pending, saying("rpc error: code = DeadlineExceeded desc = slow"), notYet},
		{"refused by the provisioner", pending, saying("claim in dataSource not bound or invalid"), notYet},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantVerdict(t, BoundOrRefused(test.claim, test.events, codes.ResourceExhausted, codes.InvalidArgument), test.want)
		})
	}
}

func TestClaimHolds(t *testing.T) {
	wanted := resource.MustParse("640Mi")
	claim := claimIn(corev1.ClaimBound, "pv-1")
	claim.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("320Mi")}
	wantVerdict(t, ClaimHolds(claim, wanted), differs, "640Mi", "320Mi")
	claim.Status.Capacity[corev1.ResourceStorage] = wanted
	wantVerdict(t, ClaimHolds(claim, wanted), satisfied)
	claim.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{
		Type: corev1.PersistentVolumeClaimFileSystemResizePending, Status: corev1.ConditionTrue,
	}}
	wantVerdict(t, ClaimHolds(claim, wanted), differs, "FileSystemResizePending")
	claim.Status.Conditions[0].Status = corev1.ConditionFalse
	wantVerdict(t, ClaimHolds(claim, wanted), satisfied)
}

func TestClaimWaitsForNode(t *testing.T) {
	claim := claimIn(corev1.ClaimBound, "pv-1")
	wantVerdict(t, ClaimWaitsForNode(claim), notYet)
	claim.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{
		Type: corev1.PersistentVolumeClaimResizing, Status: corev1.ConditionTrue,
	}}
	wantVerdict(t, ClaimWaitsForNode(claim), notYet)
	claim.Status.Conditions = []corev1.PersistentVolumeClaimCondition{{
		Type: corev1.PersistentVolumeClaimFileSystemResizePending, Status: corev1.ConditionTrue,
	}}
	wantVerdict(t, ClaimWaitsForNode(claim), differs, "NodeResizePending")
	claim.Status.AllocatedResourceStatuses = map[corev1.ResourceName]corev1.ClaimResourceStatus{
		corev1.ResourceStorage: corev1.PersistentVolumeClaimNodeResizePending,
	}
	wantVerdict(t, ClaimWaitsForNode(claim), satisfied)
}

func TestClaimSelectsNone(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{}
	wantVerdict(t, ClaimSelectsNone(claim), satisfied)
	claim.Annotations = map[string]string{selectedNode: "w1"}
	wantVerdict(t, ClaimSelectsNone(claim), forGood, "w1")
}
