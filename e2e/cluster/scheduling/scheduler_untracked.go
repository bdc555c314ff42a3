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

// schedulerUntracked shows that room does not matter without storageCapacity in the
// CSIDriver, or without a CSIDriver.
func schedulerUntracked() harness.Case {
	return harness.Case{
		ID:           "scheduler_untracked",
		Text:         "selects a node without checking for room when the CSIDriver does not track capacity, or does not exist",
		Requirements: []string{"K8S-E5"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, false)
			class := driver.CreateClass(ctx)
			selects := func() {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
				pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
				claims.MustSelect(ctx, s, claim, zone)
			}

			selects()
			driver.Remove(ctx)
			selects()
		},
	}
}
