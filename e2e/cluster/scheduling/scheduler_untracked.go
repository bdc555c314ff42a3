// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// Without storageCapacity in the CSIDriver, and without a CSIDriver, nobody asks for room.
func schedulerUntracked() harness.Case {
	return harness.Case{
		ID:           "scheduler_untracked",
		Text:         "selects a node without asking for room when the CSIDriver does not track capacity, or does not exist",
		Requirements: []string{"K8S-E5"},
		Needs:        harness.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := s.CreateStandIn(ctx, false)
			class := driver.CreateClass(ctx)
			selects := func() {
				claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
				s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
				s.MustSelect(ctx, claim, zone)
			}

			selects()
			driver.Remove(ctx)
			selects()
		},
	}
}
