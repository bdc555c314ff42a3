// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growLowered requests more than the driver can ever provide, and then less: the volume grows to the lower size, under a
// pod that is not disturbed, and the difference is returned to the namespace's quota.
func growLowered() harness.Case {
	return harness.Case{
		ID:           "grow_lowered",
		Text:         "recovers from an infeasible growth when the claim asks for less, and gives back what it does not use",
		Requirements: []string{"PC-07", "K8S-H6"},
		Needs:        needsController(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			tooMuch, enough := growth.Times(s, 4), growth.Times(s, 2)
			quota := claims.CreateQuota(ctx, s, growth.Times(s, 8))
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			data.Write(ctx, s, pod, s.Namespace)
			before := data.FileSystemSize(ctx, s, pod)
			volume := claims.VolumeOf(ctx, s, claim)
			statuses := claims.WatchGrowth(ctx, s, claim)

			growth.Refuse(ctx, s, volume, tooMuch, "OUT_OF_RANGE", saidByCase)
			s.Need(growth.Ask(ctx, s, claim, tooMuch), "asking for a larger volume")
			growth.MustBeAsked(ctx, s, volume, predicate.AnsweredAs("OUT_OF_RANGE", 1))
			s.PlatformMust(ctx, s.Target.Timeouts.Expand, "K8S-H6", "claim says that its growth is infeasible", s.Look(claim, func() error {
				return predicate.GrowthInfeasible(claim, saidByCase)
			}))
			claims.MustCount(ctx, s, quota, "K8S-H6", tooMuch)
			pods.MustGoOn(ctx, s, pod)

			s.Need(growth.Ask(ctx, s, claim, enough), "asking for less")
			growth.MustBeAskedForLess(ctx, s, "K8S-H6", claim, volume)
			growth.MustFinish(ctx, s, pod, claim, before, enough)
			data.MustRead(ctx, s, pod, s.Namespace)
			pods.MustGoOn(ctx, s, pod)
			growth.MustPass(ctx, s, "K8S-H6", claim, statuses, "")
			claims.MustCount(ctx, s, quota, "K8S-H6", enough)
		},
	}
}
