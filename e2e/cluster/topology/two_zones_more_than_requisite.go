// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// x > n: with strict topology the provisioner asks for the selected node's topology alone;
// a volume for two has that one, and a second that the driver chose.
func twoZonesMoreThanRequisite() harness.Case {
	return harness.Case{
		ID:           "two_zones_more_than_requisite",
		Text:         "adds a topology of the driver's choice to the one in requisite",
		Requirements: []string{"TR-15", "TR-16", "TR-18", "K8S-C7"},
		Needs:        harness.Needs(harness.Zones(2), harness.AccessibleFrom(2)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			all := s.AllZones()
			last := all[len(all)-1]
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer().Parameters(s.AccessibleFrom(2))))
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(last.Segment))

			s.Check(predicate.AccessibleFromSome(s.MustBind(ctx, claim), 2, harness.SegmentsOf(last), harness.SegmentsOf(all...)))
			s.MustRunIn(ctx, pod, last)
		},
	}
}
