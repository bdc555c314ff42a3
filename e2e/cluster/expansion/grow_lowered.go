// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Somebody asks for more than the driver can ever give, and then for less: the volume grows to that, under a pod that
// noticed nothing, and what nobody asks for any more is given back to the namespace's quota.
func growLowered() harness.Case {
	return harness.Case{
		ID:           "grow_lowered",
		Text:         "recovers from an infeasible growth when the claim asks for less, and gives back what it does not take",
		Requirements: []string{"PC-07", "K8S-H6"},
		Needs:        needsController(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			tooMuch, enough := s.Times(4), s.Times(2)
			quota := s.CreateQuota(ctx, s.Times(8))
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRun(ctx, pod)
			s.Write(ctx, pod, s.Namespace)
			before := s.FileSystemSize(ctx, pod)
			volume := s.VolumeOf(ctx, claim)
			statuses := s.WatchGrowth(ctx, claim)

			s.RefuseGrowth(ctx, volume, tooMuch, "OUT_OF_RANGE", saidByCase)
			s.Need(s.Grow(ctx, claim, tooMuch), "asking for a larger volume")
			s.MustAskToGrow(ctx, volume, predicate.AnsweredAs("OUT_OF_RANGE", 1))
			s.PlatformMust(ctx, s.Target.Timeouts.Expand, "K8S-H6", "claim says that its growth is infeasible", s.Look(claim, func() error {
				return predicate.GrowthInfeasible(claim, saidByCase)
			}))
			s.MustCount(ctx, quota, "K8S-H6", tooMuch)
			s.MustGoOn(ctx, pod)

			s.Need(s.Grow(ctx, claim, enough), "asking for less")
			s.MustAskForLess(ctx, "K8S-H6", claim, volume)
			s.MustFinishGrowth(ctx, pod, claim, before, enough)
			s.MustRead(ctx, pod, s.Namespace)
			s.MustGoOn(ctx, pod)
			s.MustPassGrowth(ctx, "K8S-H6", claim, statuses, "")
			s.MustCount(ctx, quota, "K8S-H6", enough)
		},
	}
}
