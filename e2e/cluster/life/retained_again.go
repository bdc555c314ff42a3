// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// retainedAgain deletes the claim of a retained volume, which still belongs to that claim until the claimRef is removed.
// Then another claim gets it, with the data of the first. Before that, a volume that is not retained is deleted, which
// shows that the provisioner has handled the first, too.
func retainedAgain() harness.Case {
	return harness.Case{
		ID:           "retained_again",
		Text:         "gives a retained volume to another claim once its claimRef is removed, with its data",
		Requirements: []string{"K8S-P2"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const requirement = "K8S-P2"
			class := claims.CreateClass(ctx, s, workload.Immediate().Retained())
			claim, other := claims.Create(ctx, s, class), claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			volume := claims.MustBind(ctx, s, claim)
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			data.MustWrite(ctx, s, pod, s.Namespace)
			pods.Remove(ctx, s, pod)
			attachments.MustBeDetached(ctx, s, volume) // volumes are only deleted once detached
			claims.MustDeleteAlone(ctx, s, claim)
			released(ctx, s, volume)
			claims.MustDelete(ctx, s, other, claims.MustBind(ctx, s, other))
			if !stays(ctx, s, requirement, "PersistentVolume", volume) {
				return
			}

			before := volume.DeepCopy()
			s.OnCleanUp(func(ctx context.Context) error { return giveBack(ctx, s, before) })
			s.Need(s.Patch(ctx, volume, json.RawMessage(`{"spec":{"claimRef":null}}`)), "removing the claimRef of volume %s", volume.Name)
			if !s.PlatformMust(ctx, s.Target.Timeouts.Bind, requirement, "volume "+volume.Name+" available", func(ctx context.Context) error {
				err := s.Reread(ctx, volume)
				if harness.Gone(err, "") == nil {
					return predicate.GoneEarly("PersistentVolume", volume.Name)
				}
				if err != nil {
					return err
				}
				return predicate.VolumeInPhase(volume, corev1.VolumeAvailable)
			}) {
				return
			}
			again := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).For(volume.Name))
			got := claims.MustBind(ctx, s, again)
			if got.UID != volume.UID {
				suite.CouldNotTell("claim %s names volume %s, and is bound to %s", again.Name, volume.Name, got.Name)
			}
			next := pods.Create(ctx, s, workload.PodWith(again))
			pods.MustRun(ctx, s, next)
			data.ShouldRead(ctx, s, requirement, next, s.Namespace)
		},
	}
}

// giveBack returns a volume without a claim to its first claim, which is gone, so that it is removed with the case's other
// objects.
func giveBack(ctx context.Context, s *harness.Scenario, before *corev1.PersistentVolume) error {
	now := before.DeepCopy()
	err := s.Reread(ctx, now)
	if harness.Gone(err, "") == nil {
		return nil
	}
	if err != nil || now.Spec.ClaimRef != nil {
		return err
	}
	return s.Patch(ctx, now, map[string]any{"spec": map[string]any{"claimRef": before.Spec.ClaimRef}})
}
