// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growUnmounted grows a volume that no pod uses: the claim shows that a node must still grow the file system, and the next
// pod finds it grown.
func growUnmounted() harness.Case {
	return harness.Case{
		ID:           "grow_unmounted",
		Text:         "grows a volume that is not mounted, and the next pod finds it grown",
		Requirements: []string{"CE-05", "CE-13", "CE-14", "K8S-H3"},
		Needs:        needs.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate()))
			claims.MustBind(ctx, s, claim)

			s.Need(growth.Ask(ctx, s, claim, growth.Times(s, 2)), "asking for a larger volume")
			s.Until(ctx, s.Target.Timeouts.Expand, "claim waits for a node to grow its file system", s.Look(claim, func() error {
				return predicate.ClaimWaitsForNode(claim)
			}))

			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			growth.MustReachPod(ctx, s, pod, claim, s.Target.VolumeSize.Value(), growth.Times(s, 2))
			growth.MustEnd(ctx, s, claim, growth.Times(s, 2))
		},
	}
}
