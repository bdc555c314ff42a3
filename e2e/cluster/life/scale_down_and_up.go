// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// scaleDownAndUp scales a StatefulSet down and up again. The data of its last pod is still there, in the same zone, unless
// the set deletes claims when it is scaled down.
func scaleDownAndUp() []harness.Case {
	return []harness.Case{
		{
			ID:           "scale_down_and_up",
			Text:         "keeps the claims of a StatefulSet that is scaled down, and returns to their zones and data when it is scaled up",
			Requirements: []string{"K8S-P5"},
			Needs:        needs.Zones(1),
			Run: func(ctx context.Context, s *harness.Scenario) {
				const requirement = "K8S-P5"
				set := startSet(ctx, s, workload.StatefulSetOf(claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()), 2))
				zone := s.ZoneOf(set.last)
				data.MustWrite(ctx, s, set.last, s.Namespace)
				set.scale(ctx, 1)
				if !stays(ctx, s, requirement, "PersistentVolumeClaim", set.claim) {
					return
				}
				s.PlatformCheck(ctx, requirement, predicate.NotDeleting("PersistentVolumeClaim", set.claim))
				set.scale(ctx, 2)
				pods.MustRunIn(ctx, s, set.last, zone)
				s.PlatformCheck(ctx, requirement, predicate.SameVolume(set.claim, claims.VolumeOf(ctx, s, set.claim)))
				data.ShouldRead(ctx, s, requirement, set.last, s.Namespace)
			},
		},
		{
			ID:           "scale_down_and_up_deletes",
			Text:         "deletes the claims and volumes of a StatefulSet when it is scaled down and when it is deleted, if its specification says so",
			Requirements: []string{"K8S-P9"},
			Needs:        needs.Zones(1),
			Run: func(ctx context.Context, s *harness.Scenario) {
				const requirement = "K8S-P9"
				class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
				set := startSet(ctx, s, workload.StatefulSetOf(class, 2).DeletingClaims())
				volume := claims.VolumeOf(ctx, s, set.claim)
				first := set.claimOf(0)
				remaining := claims.VolumeOf(ctx, s, first)
				set.scale(ctx, 1)
				if s.PlatformMust(ctx, s.Target.Timeouts.Delete, requirement, "claim "+set.claim.Name+" deleted", claims.DeletedByOthers(s, set.claim)) {
					claims.MustGo(ctx, s, volume)
				}
				s.PlatformCheck(ctx, requirement, predicate.NotDeleting("PersistentVolumeClaim", first))

				s.Need(s.Resources().Delete(ctx, set.object), "deleting StatefulSet %s", set.object.Name)
				if s.PlatformMust(ctx, s.Target.Timeouts.Delete, requirement, "claim "+first.Name+" deleted", claims.DeletedByOthers(s, first)) {
					claims.MustGo(ctx, s, remaining)
				}
			},
		},
	}
}

// statefulSet is a set of two pods. The second comes and goes.
type statefulSet struct {
	s      *harness.Scenario
	object *appsv1.StatefulSet
	// last is the pod that is removed when the set is scaled down, and claim is its claim.
	last  *corev1.Pod
	claim *corev1.PersistentVolumeClaim
}

// startSet creates the set, and waits until its pods run.
func startSet(ctx context.Context, s *harness.Scenario, built *workload.StatefulSet) *statefulSet {
	set := &statefulSet{s: s, object: pods.CreateStatefulSet(ctx, s, built), last: &corev1.Pod{}}
	pods.MustRunAll(ctx, s, 2)
	set.last.Namespace, set.last.Name = s.Namespace, set.object.Name+"-1"
	s.Need(s.Reread(ctx, set.last), "reading the last pod of the set")
	set.claim = set.claimOf(1)
	s.Need(s.Reread(ctx, set.claim), "reading the claim of the last pod of the set")
	return set
}

// claimOf returns the claim of a pod of the set, with only its name.
func (t *statefulSet) claimOf(ordinal int) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Namespace, claim.Name = t.s.Namespace, workload.ClaimNameOf(t.object, ordinal)
	return claim
}

// scale changes the number of pods, and waits until the last pod exists, or is gone.
func (t *statefulSet) scale(ctx context.Context, replicas int) {
	s := t.s
	s.Need(s.Patch(ctx, t.object, map[string]any{"spec": map[string]any{"replicas": replicas}}), "scaling StatefulSet %s", t.object.Name)
	pods.MustRunAll(ctx, s, replicas)
	if replicas == 1 {
		s.Until(ctx, s.Target.Timeouts.Run, "pod "+t.last.Name+" gone", func(ctx context.Context) error {
			return harness.Gone(s.Reread(ctx, t.last.DeepCopy()), "pod "+t.last.Name)
		})
	}
}
