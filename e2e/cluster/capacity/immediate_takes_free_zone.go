// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// immediateTakesFreeZone fills one of two topologies in requisite: a volume for one topology is in the other, regardless of
// the first one in preferred. Two claims with neighbouring ordinals see both orders.
func immediateTakesFreeZone() harness.Case {
	return harness.Case{
		ID:           "immediate_takes_free_zone",
		Text:         "creates the volume in the allowed zone that has room, in either order of preference",
		Requirements: []string{"TR-11", "TR-13", "PF-05", "K8S-C4"},
		Needs:        needs.All(needs.Zones(2), needs.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			full, free := zones[0], zones[1]
			room.Fill(ctx, s, full)
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(topology.SegmentsOf(zones...)...))
			for _, name := range []string{"data-workload-0", "data-workload-1"} {
				claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Named(name))

				claims.MustBindIn(ctx, s, claim, free)
			}
		},
	}
}
