// SPDX-License-Identifier: Apache-2.0

package binding

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

// immediateTwoZones allows two zones, from one term with two values, so requisite is
// two topologies: a volume for one topology is in one of the two, and in no other.
func immediateTwoZones() harness.Case {
	return harness.Case{
		ID:           "immediate_two_zones",
		Text:         "creates the volume in one of the two allowed zones, and its pod follows",
		Requirements: []string{"TR-04", "TR-11", "TR-13", "K8S-A4", "K8S-A8", "K8S-C4"},
		Needs:        needs.Neighbours(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			allowed := topology.NeighboursOf(s.AllZones(), s.Target.ZoneKey, 3)[1:]
			values := map[string][]string{}
			for key, value := range allowed[0].Segment {
				values[key] = []string{value}
			}
			values[s.Target.ZoneKey] = topology.ZoneNames(allowed...)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedValues(values)))

			s.Check(predicate.AccessibleFromSome(claims.MustBind(ctx, s, claim), 1, nil, topology.SegmentsOf(allowed...)))

			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRunIn(ctx, s, pod, allowed...)
			claims.MustShareZone(ctx, s, claim, pod)
		},
	}
}
