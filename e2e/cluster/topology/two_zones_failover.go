// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// twoZonesFailover moves a pod to the other of a volume's two zones: it reads the data that it wrote in the first, since
// the volume is the same in both.
func twoZonesFailover() harness.Case {
	return harness.Case{
		ID:           "two_zones_failover",
		Text:         "shows a pod the same data when it is moved to the volume's other zone",
		Requirements: []string{"VOL-15", "CP-02", "CU-03", "K8S-B18"},
		Needs:        needs.All(needs.Zones(2), needs.AccessibleFrom(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(topology.SegmentsOf(zones...)...).Parameters(s.AccessibleFrom(2)))
			claim := claims.Create(ctx, s, class)
			claims.MustBindIn(ctx, s, claim, zones...)
			before := pods.Create(ctx, s, workload.PodWith(claim).In(zones[0].Segment))
			pods.MustRunIn(ctx, s, before, zones[0])
			data.Write(ctx, s, before, s.Namespace)
			pods.Remove(ctx, s, before)

			after := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))
			pods.MustRunIn(ctx, s, after, zones[1])
			data.MustRead(ctx, s, after, s.Namespace)
		},
	}
}
