// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// The one topology in requisite is full: the driver refuses with RESOURCE_EXHAUSTED, never
// goes elsewhere, and the same claim gets its volume there once there is room.
func immediateFullZoneRetries() harness.Case {
	return harness.Case{
		ID:           "immediate_full_zone_retries",
		Text:         "refuses a volume in the full zone that was asked for, and makes it there when there is room",
		Requirements: []string{"TR-08", "PF-07", "CREATE-08", "K8S-C3", "K8S-F3"},
		Needs:        harness.Needs(harness.Zones(1), harness.OneProvisioner(), harness.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			full := s.Zones(1)[0]
			s.Fill(ctx, full)
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(full.Segment)))

			s.MustBeRefused(ctx, claim, codes.ResourceExhausted)
			s.MustHoldNothingNew(ctx)

			s.Need(s.Drain(ctx, full), "making room")
			s.MustBindIn(ctx, claim, full)
		},
	}
}
