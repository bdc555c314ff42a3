// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// x < n with one topology of requisite full: the volume is in the other, whichever of them
// preferred names first. Two claims with neighbouring ordinals see both orders.
func immediateTakesFreeZone() harness.Case {
	return harness.Case{
		ID:           "immediate_takes_free_zone",
		Text:         "makes the volume in the allowed zone that has room, in either order of preference",
		Requirements: []string{"TR-11", "TR-13", "PF-05", "K8S-C4"},
		Needs:        harness.Needs(harness.Zones(2), harness.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			full, free := zones[0], zones[1]
			s.Fill(ctx, full)
			class := s.CreateClass(ctx, workload.Immediate().AllowedIn(harness.SegmentsOf(zones...)...))
			for _, name := range []string{"data-workload-0", "data-workload-1"} {
				claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(s.Target.VolumeSize).Named(name))

				s.MustBindIn(ctx, claim, free)
			}
		},
	}
}
