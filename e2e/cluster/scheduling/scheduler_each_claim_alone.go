// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Two claims of one pod that together are larger than the room: each of them fits, and so the scheduler selects a node for
// both. The documentation names this as a limitation.
func schedulerEachClaimAlone() harness.Case {
	return harness.Case{
		ID:           "scheduler_each_claim_alone",
		Text:         "asks for the room of each claim of a pod alone, not of all together",
		Requirements: []string{"K8S-E7"},
		Needs:        harness.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := s.CreateStandIn(ctx, true).CreateClass(ctx)
			s.CreateCapacity(ctx, class, harness.Capacity{Nodes: harness.In(zone), Bytes: gi(10)})
			first := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(8)))
			second := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(8)))

			s.CreatePod(ctx, workload.PodWith(first).And(second).In(zone.Segment))

			s.MustSelect(ctx, first, zone)
			s.MustSelect(ctx, second, zone)
		},
	}
}
