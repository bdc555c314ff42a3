package cluster

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// x = n = 2 and one of the two is full: the volume must not be made at all, and what was
// begun in the other topology must not stay there.
func twoZonesOneFull(t *suite) {
	t.it("refuses a volume for two topologies when one of them is full, and takes nothing in the other",
		verdict.Case("two_zones_one_full", "TR-08", "CVE-08", "K8S-C3"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			parameters := s.accessibleFrom(2)
			s.fill(ctx, zones[1])
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().AllowedIn(segmentsOf(zones...)...).Parameters(parameters)))

			s.mustBeRefused(ctx, claim, codes.ResourceExhausted)
			s.mustHoldNothingNew(ctx)
		})
}
