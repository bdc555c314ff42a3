// SPDX-License-Identifier: Apache-2.0

package life

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// claimInUseStays deletes a claim and its PersistentVolume while a pod uses them. Afterwards an unused claim and its volume
// are deleted, which shows that the controllers have handled the first two.
func claimInUseStays() harness.Case {
	return harness.Case{
		ID:           "claim_in_use_stays",
		Text:         "keeps a claim that a pod uses, and its PersistentVolume, until the pod is gone",
		Requirements: []string{"K8S-P1"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := claims.CreateClass(ctx, s, workload.Immediate())
			claim, other := claims.Create(ctx, s, class), claims.Create(ctx, s, class)
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			volume, spare := claims.VolumeOf(ctx, s, claim), claims.MustBind(ctx, s, other)

			s.Need(s.Resources().Delete(ctx, claim), "deleting claim %s", claim.Name)
			s.Need(s.Resources().Delete(ctx, volume), "deleting PersistentVolume %s", volume.Name)
			claims.MustDelete(ctx, s, other, spare)

			stays(ctx, s, "K8S-P1", "PersistentVolumeClaim", claim, predicate.ClaimInUse)
			stays(ctx, s, "K8S-P1", "PersistentVolume", volume, predicate.VolumeInUse)
			pods.MustGoOn(ctx, s, pod)
			data.MustWrite(ctx, s, pod, s.Namespace)
			data.MustRead(ctx, s, pod, s.Namespace)

			pods.Remove(ctx, s, pod)
			claims.MustGo(ctx, s, volume)
			s.Until(ctx, s.Target.Timeouts.Delete, "claim "+claim.Name+" deleted", func(ctx context.Context) error {
				return harness.Gone(s.Reread(ctx, claim.DeepCopy()), "claim "+claim.Name)
			})
		},
	}
}
