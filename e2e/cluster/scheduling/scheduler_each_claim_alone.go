// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerEachClaimAlone creates two claims of one pod that together are larger than the room: each of them fits, and
// so the scheduler selects a node for both. The documentation names this as a limitation.
func schedulerEachClaimAlone() harness.Case {
	return harness.Case{
		ID:           "scheduler_each_claim_alone",
		Text:         "checks the room for each claim of a pod separately, not for all together",
		Requirements: []string{"K8S-E7"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := standin.Create(ctx, s, true).CreateClass(ctx)
			standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Bytes: gi(10)})
			first := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(8)))
			second := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(8)))

			pods.Create(ctx, s, workload.PodWith(first).And(second).In(zone.Segment))

			claims.MustSelect(ctx, s, first, zone)
			claims.MustSelect(ctx, s, second, zone)
		},
	}
}
