// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestPlacements(t *testing.T) {
	zones := []topology.Zone{
		{Name: "Z2", Segment: map[string]string{"zone": "Z2"}, Nodes: []topology.Node{{Name: "a"}}},
		{Name: "Z3", Segment: map[string]string{"zone": "Z3"}, Nodes: []topology.Node{{Name: "b"}}},
	}
	pod := func(uid, node string, phase corev1.PodPhase) *corev1.Pod {
		p := &corev1.Pod{}
		p.Name, p.UID, p.Spec.NodeName, p.Status.Phase = "web-0", types.UID(uid), node, phase
		p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
		return p
	}
	claim := func(uid, volume string) *corev1.PersistentVolumeClaim {
		c := &corev1.PersistentVolumeClaim{}
		c.Name, c.UID, c.Spec.VolumeName, c.Status.Phase = volume, types.UID(uid), volume, corev1.ClaimBound
		c.Status.Capacity = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
		return c
	}
	noted := &Log{began: time.Now(), zones: zones, volume: func(name string) (*corev1.PersistentVolume, error) {
		if name == "gone" {
			return nil, errors.New("not found")
		}
		in := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{"Z3"}}}}
		v := &corev1.PersistentVolume{}
		v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{in}}}
		return v, nil
	}}
	noted.notePod(pod("1", "", corev1.PodPending), false)
	noted.notePod(pod("1", "a", corev1.PodRunning), false)
	noted.notePod(pod("1", "a", corev1.PodRunning), true)
	noted.notePod(pod("2", "b", corev1.PodRunning), false)
	noted.noteClaim(&corev1.PersistentVolumeClaim{}, false)
	noted.noteClaim(claim("1", "data"), false)
	noted.noteClaim(claim("1", "data"), false)
	noted.noteClaim(claim("2", "gone"), false)
	noted.End()
	noted.notePod(pod("2", "b", corev1.PodRunning), true)
	want := suite.Placement{
		Pods: []suite.PlacedPod{
			{Name: "web-0", Node: "a", Segment: "Z2", Volumes: []string{"data"}},
			{Name: "web-0", Node: "b", Segment: "Z3", Volumes: []string{"data"}},
		},
		Volumes: []suite.PlacedVolume{{Name: "data", Segments: []string{"Z3"}, Bytes: 1 << 30}, {Name: "gone", Bytes: 1 << 30}},
	}
	got := noted.All()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(suite.PlacedPod{}, "Since", "Until"), cmpopts.IgnoreFields(suite.PlacedVolume{}, "Since")); diff != "" {
		t.Error(diff)
	}
	if got.Pods[1].Until != 0 {
		t.Error("a pod that was removed after the case has an end")
	}
}
