// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// immediateFullZoneRetries fills the only topology in requisite: the driver refuses with RESOURCE_EXHAUSTED, never creates
// the volume elsewhere, and the same claim gets its volume there once there is room.
func immediateFullZoneRetries() harness.Case {
	return harness.Case{
		ID:           "immediate_full_zone_retries",
		Text:         "refuses a volume in the requested zone while it is full, and creates it there when there is room",
		Requirements: []string{"TR-08", "PF-07", "CREATE-08", "K8S-C3", "K8S-F3"},
		Needs:        needs.All(needs.Zones(1), needs.OneProvisioner(), needs.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			full := s.Zones(1)[0]
			room.Fill(ctx, s, full)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(full.Segment)))

			claims.MustBeRefused(ctx, s, claim, codes.ResourceExhausted)
			room.MustHoldNothingNew(ctx, s)

			s.Need(room.Drain(ctx, s, full), "making room")
			claims.MustBindIn(ctx, s, claim, full)
		},
	}
}
