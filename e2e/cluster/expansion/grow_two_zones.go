// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume that is accessible from two zones grows in both: what was grown under a pod in one is as large in the other.
func growTwoZones() harness.Case {
	return harness.Case{
		ID:           "grow_two_zones",
		Text:         "grows a volume of two zones in both, as df shows in each",
		Requirements: []string{"PC-07", "CE-05", "CE-13", "K8S-H8"},
		Needs:        harness.Needs(harness.Zones(2), harness.AccessibleFrom(2), harness.Expansion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := s.CreateClass(ctx, workload.Immediate().AllowedIn(harness.SegmentsOf(zones...)...).Parameters(s.AccessibleFrom(2)))
			claim := s.CreateClaim(ctx, class)
			s.MustBindIn(ctx, claim, zones...)
			first := s.CreatePod(ctx, workload.PodWith(claim).In(zones[0].Segment))
			s.MustRunIn(ctx, first, zones[0])
			s.Write(ctx, first, s.Namespace)

			before := s.MustGrowUnder(ctx, first, claim)
			s.Remove(ctx, first)

			second := s.CreatePod(ctx, workload.PodWith(claim).In(zones[1].Segment))
			s.MustRunIn(ctx, second, zones[1])
			s.MustGrow(ctx, second, claim, before, s.Times(2))
			s.MustRead(ctx, second, s.Namespace)
		},
	}
}
