// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// twoZonesMoreThanRequisite covers x > n: with strict topology the provisioner requests only the selected node's topology;
// a volume for two topologies has that one, and a second that the driver chooses.
func twoZonesMoreThanRequisite() harness.Case {
	return harness.Case{
		ID:           "two_zones_more_than_requisite",
		Text:         "adds a topology of the driver's choice to the one in requisite",
		Requirements: []string{"TR-15", "TR-16", "TR-18", "K8S-C7"},
		Needs:        needs.All(needs.Zones(2), needs.AccessibleFrom(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			all := s.AllZones()
			last := all[len(all)-1]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer().Parameters(s.AccessibleFrom(2))))
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(last.Segment))

			s.Check(predicate.AccessibleFromSome(claims.MustBind(ctx, s, claim), 2, topology.SegmentsOf(last), topology.SegmentsOf(all...)))
			pods.MustRunIn(ctx, s, pod, last)
		},
	}
}
