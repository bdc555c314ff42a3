// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume that is accessible from two topologies is the same volume in both: a pod that
// is moved to the other zone reads what it wrote in the first.
func twoZonesFailover() harness.Case {
	return harness.Case{
		ID:           "two_zones_failover",
		Text:         "shows a pod the same data when it is moved to the volume's other zone",
		Requirements: []string{"VOL-15", "CP-02", "CU-03", "K8S-B18"},
		Needs:        harness.Needs(harness.Zones(2), harness.AccessibleFrom(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := s.CreateClass(ctx, workload.Immediate().AllowedIn(harness.SegmentsOf(zones...)...).Parameters(s.AccessibleFrom(2)))
			claim := s.CreateClaim(ctx, class)
			s.MustBindIn(ctx, claim, zones...)
			before := s.CreatePod(ctx, workload.PodWith(claim).In(zones[0].Segment))
			s.MustRunIn(ctx, before, zones[0])
			s.Write(ctx, before, s.Namespace)
			s.Remove(ctx, before)

			after := s.CreatePod(ctx, workload.PodWith(claim).In(zones[1].Segment))
			s.MustRunIn(ctx, after, zones[1])
			s.MustRead(ctx, after, s.Namespace)
		},
	}
}
