// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// saidByCase is the message of injected answers.
const saidByCase = "said by csi-topo"

// growInfeasible makes the driver answer that it can never grow the volume this far: the claim shows this, in the driver's
// words, and keeps its size.
func growInfeasible() []harness.Case {
	var cases []harness.Case
	for _, code := range []string{"INVALID_ARGUMENT", "OUT_OF_RANGE", "NOT_FOUND"} {
		cases = append(cases, harness.Case{
			ID:           "grow_infeasible_" + strings.ToLower(code),
			Text:         "reports a growth as infeasible that the driver answers with " + code,
			Requirements: []string{"K8S-H4", "K8S-H5"},
			Needs:        needsController(),
			Run: func(ctx context.Context, s *harness.Scenario) {
				claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
				volume := claims.MustBind(ctx, s, claim)
				held := claim.Status.Capacity[corev1.ResourceStorage]
				statuses := claims.WatchGrowth(ctx, s, claim)
				growth.Refuse(ctx, s, volume, growth.Times(s, 2), code, saidByCase)

				s.Need(growth.Ask(ctx, s, claim, growth.Times(s, 2)), "asking for a larger volume")

				growth.MustBeAsked(ctx, s, volume, predicate.AnsweredAs(code, 1))
				s.PlatformMust(ctx, s.Target.Timeouts.Expand, "K8S-H5", "claim says that its growth is infeasible", s.Look(claim, func() error {
					return predicate.GrowthInfeasible(claim, saidByCase)
				}))
				growth.MustPass(ctx, s, "K8S-H4", claim, statuses,
					corev1.PersistentVolumeClaimControllerResizeInProgress, corev1.PersistentVolumeClaimControllerResizeInfeasible)
				s.PlatformCheck(ctx, "K8S-H5", predicate.ClaimHoldsNoMore(claim, held))
			},
		})
	}
	return cases
}

// needsController returns the needs of a case that injects answers to ControllerExpandVolume.
func needsController() []harness.Need {
	return needs.All(needs.Recorder(), needs.Expansion(), needs.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME))
}
