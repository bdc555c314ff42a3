// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// twoZonesBoth covers x = n = 2: a volume for two topologies, with two in requisite, is
// accessible from both, and its node affinity has one term for each.
func twoZonesBoth() harness.Case {
	return harness.Case{
		ID:           "two_zones_both",
		Text:         "creates a volume for two topologies that is accessible from both in requisite",
		Requirements: []string{"TR-01", "TR-07", "TR-10", "VOL-15", "VOL-20", "K8S-B9", "K8S-C2"},
		Needs:        needs.All(needs.Zones(2), needs.AccessibleFrom(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(topology.SegmentsOf(zones...)...).Parameters(s.AccessibleFrom(2)))
			claim := claims.Create(ctx, s, class)

			claims.MustBindBy(ctx, s, []string{"TR-01", "TR-07", "TR-10", "K8S-B9", "K8S-C2"}, claim, zones...)
		},
	}
}
