// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// x = n = 2 and one of the two is full: the volume must not be made at all, and what was
// begun in the other topology must not stay there.
func twoZonesOneFull() harness.Case {
	return harness.Case{
		ID:           "two_zones_one_full",
		Text:         "refuses a volume for two topologies when one of them is full, and takes nothing in the other",
		Requirements: []string{"TR-08", "CREATE-08", "K8S-C3"},
		Needs:        harness.Needs(harness.Zones(2), harness.AccessibleFrom(2), harness.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			parameters := s.AccessibleFrom(2)
			s.Fill(ctx, zones[1])
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(harness.SegmentsOf(zones...)...).Parameters(parameters)))

			s.MustBeRefused(ctx, claim, codes.ResourceExhausted)
			s.MustHoldNothingNew(ctx)
		},
	}
}
