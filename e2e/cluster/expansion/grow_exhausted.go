// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growExhausted makes the driver answer that it has no room for the growth now: that may change, so the call is repeated,
// and the claim's status does not call the growth infeasible. Once there is room, the volume grows by itself.
func growExhausted() harness.Case {
	return harness.Case{
		ID:           "grow_exhausted",
		Text:         "repeats a growth that the driver answers with RESOURCE_EXHAUSTED, until it succeeds",
		Requirements: []string{"K8S-H4", "K8S-H5"},
		Needs:        needsController(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const (
				code     = "RESOURCE_EXHAUSTED"
				attempts = 3
			)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			volume := claims.MustBind(ctx, s, claim)
			held := claim.Status.Capacity[corev1.ResourceStorage]
			statuses := claims.WatchGrowth(ctx, s, claim)
			wanted := growth.Times(s, 2)
			refused := growth.Refuse(ctx, s, volume, wanted, code, saidByCase)

			s.Need(growth.Ask(ctx, s, claim, wanted), "asking for a larger volume")

			growth.MustBeAsked(ctx, s, volume, predicate.AnsweredAs(code, attempts))
			growth.MustPass(ctx, s, "K8S-H5", claim, statuses, corev1.PersistentVolumeClaimControllerResizeInProgress)
			s.PlatformCheck(ctx, "K8S-H5", predicate.ClaimHoldsNoMore(claim, held))

			refused.End(ctx)
			growth.MustBeAsked(ctx, s, volume, predicate.AnsweredAs("OK", 1))
			growth.MustReachVolume(ctx, s, claim, wanted)
		},
	}
}
