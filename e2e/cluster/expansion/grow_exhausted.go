// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// The driver has no room for the growth now: that may change, so it is asked again and again, and the claim does not say that
// the growth is infeasible. Once there is room, the volume grows without anybody's help.
func growExhausted() harness.Case {
	return harness.Case{
		ID:           "grow_exhausted",
		Text:         "asks again for a growth that the driver answers with RESOURCE_EXHAUSTED, until it succeeds",
		Requirements: []string{"K8S-H4", "K8S-H5"},
		Needs:        needsController(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const (
				code     = "RESOURCE_EXHAUSTED"
				attempts = 3
			)
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate()))
			volume := s.MustBind(ctx, claim)
			held := claim.Status.Capacity[corev1.ResourceStorage]
			statuses := s.WatchGrowth(ctx, claim)
			wanted := s.Times(2)
			refused := s.RefuseGrowth(ctx, volume, wanted, code, saidByCase)

			s.Need(s.Grow(ctx, claim, wanted), "asking for a larger volume")

			s.MustAskToGrow(ctx, volume, predicate.AnsweredAs(code, attempts))
			s.MustPassGrowth(ctx, "K8S-H5", claim, statuses, corev1.PersistentVolumeClaimControllerResizeInProgress)
			s.PlatformCheck(ctx, "K8S-H5", predicate.ClaimHoldsNoMore(claim, held))

			refused.End(ctx)
			s.MustAskToGrow(ctx, volume, predicate.AnsweredAs("OK", 1))
			s.MustGrowVolume(ctx, claim, wanted)
		},
	}
}
