// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// twoZonesOneFull covers x = n = 2 with one of the two full: the volume must not be created, and nothing may remain in the
// other topology.
func twoZonesOneFull() harness.Case {
	return harness.Case{
		ID:           "two_zones_one_full",
		Text:         "refuses a volume for two topologies when one of them is full, and takes nothing in the other",
		Requirements: []string{"TR-08", "CREATE-08", "K8S-C3"},
		Needs:        needs.All(needs.Zones(2), needs.AccessibleFrom(2), needs.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			parameters := s.AccessibleFrom(2)
			room.Fill(ctx, s, zones[1])
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(topology.SegmentsOf(zones...)...).Parameters(parameters)))

			claims.MustBeRefused(ctx, s, claim, codes.ResourceExhausted)
			room.MustHoldNothingNew(ctx, s)
		},
	}
}
