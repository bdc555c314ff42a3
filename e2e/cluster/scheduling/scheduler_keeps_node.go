// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerKeepsNode shows that a pod can only be placed on the selected node while a volume is being created for it.
func schedulerKeepsNode() harness.Case {
	return harness.Case{
		ID:           "scheduler_keeps_node",
		Text:         "refuses a pod for every node but the one that is selected for its claim",
		Requirements: []string{"K8S-E11"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := standin.Create(ctx, s, false).CreateClass(ctx)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
			pods.Create(ctx, s, workload.PodWith(claim).In(zones[0].Segment))
			claims.MustSelect(ctx, s, claim, zones[0])

			elsewhere := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))

			pods.MustBeUnschedulable(ctx, s, elsewhere, predicate.NoVolumeToBind)
		},
	}
}
