// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growTwoZones grows a volume that is accessible from two zones under a pod in one of them: it has the same size in the
// other.
func growTwoZones() harness.Case {
	return harness.Case{
		ID:           "grow_two_zones",
		Text:         "grows a volume of two zones in both, as df shows in each",
		Requirements: []string{"PC-07", "CE-05", "CE-13", "K8S-H8"},
		Needs:        needs.All(needs.Zones(2), needs.AccessibleFrom(2), needs.Expansion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			class := claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(topology.SegmentsOf(zones...)...).Parameters(s.AccessibleFrom(2)))
			claim := claims.Create(ctx, s, class)
			claims.MustBindIn(ctx, s, claim, zones...)
			first := pods.Create(ctx, s, workload.PodWith(claim).In(zones[0].Segment))
			pods.MustRunIn(ctx, s, first, zones[0])
			data.Write(ctx, s, first, s.Namespace)

			before := growth.MustDouble(ctx, s, first, claim)
			pods.Remove(ctx, s, first)

			second := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))
			pods.MustRunIn(ctx, s, second, zones[1])
			growth.MustReachPod(ctx, s, second, claim, before, growth.Times(s, 2))
			data.MustRead(ctx, s, second, s.Namespace)
		},
	}
}
