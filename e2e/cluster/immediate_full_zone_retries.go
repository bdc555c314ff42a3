package cluster

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The one topology in requisite is full: the driver refuses with RESOURCE_EXHAUSTED, never
// goes elsewhere, and the same claim gets its volume there once there is room.
func immediateFullZoneRetries(t *suite) {
	t.it("refuses a volume in the full zone that was asked for, and makes it there when there is room",
		verdict.Case("immediate_full_zone_retries", "TR-08", "PF-07", "CVE-08", "K8S-C3", "K8S-F3"),
		func(ctx context.Context, s *scenario) {
			s.mustHaveOneProvisioner()
			full := s.zones(1)[0]
			s.fill(ctx, full)
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().AllowedIn(full.segment)))

			s.mustBeRefused(ctx, claim, codes.ResourceExhausted)
			s.mustHoldNothingNew(ctx)

			s.need(s.drain(ctx, full), "making room")
			s.mustBindIn(ctx, claim, full)
		})
}
