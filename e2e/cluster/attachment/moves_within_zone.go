// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// movesWithinZone mounts a volume, with its data, on another node of its zone, since it
// belongs to the zone and not to a node.
func movesWithinZone() harness.Case {
	return harness.Case{
		ID:           "moves_within_zone",
		Text:         "mounts the volume, with its data, on another node of its zone",
		Requirements: []string{"CU-03", "NS-01", "K8S-B17"},
		Needs:        needs.NodesInZone(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			before := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[0].Hostname))
			pods.MustRunIn(ctx, s, before, zone)
			data.Write(ctx, s, before, s.Namespace)
			pods.Remove(ctx, s, before)

			after := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[1].Hostname))
			pods.MustRunIn(ctx, s, after, zone)
			data.MustRead(ctx, s, after, s.Namespace)
		},
	}
}
