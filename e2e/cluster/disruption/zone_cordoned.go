// SPDX-License-Identifier: Apache-2.0

package disruption

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodes"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// zoneCordoned cordons all nodes of a volume's only zone: a pod with the volume waits for them, and does not go to another
// zone. It runs, with its data, as soon as they accept pods again.
func zoneCordoned() harness.Case {
	return harness.Case{
		ID:           "zone_cordoned",
		Text:         "keeps a pod waiting while the only zone of its volume is cordoned, and does not move it",
		Requirements: []string{"K8S-B19"},
		Needs:        needs.All(needs.Zones(2), needs.ChangesNodes(), needs.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := topology.Smallest(s.AllZones())
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment)))
			claims.MustBindIn(ctx, s, claim, zone)
			before := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRunIn(ctx, s, before, zone)
			data.Write(ctx, s, before, s.Namespace)
			pods.Remove(ctx, s, before)

			nodes.Cordon(ctx, s, zone.Nodes...)
			after := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustBeUnschedulable(ctx, s, after, predicate.OtherTopology, predicate.Cordoned)

			nodes.Uncordon(ctx, s, zone.Nodes...)
			pods.MustRunIn(ctx, s, after, zone)
			data.MustRead(ctx, s, after, s.Namespace)
		},
	}
}
