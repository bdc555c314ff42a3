// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume belongs to a zone, not to a node: its claim mounts on another node of the zone,
// with its data.
func movesWithinZone() harness.Case {
	return harness.Case{
		ID:           "moves_within_zone",
		Text:         "mounts the volume, with its data, on another node of its zone",
		Requirements: []string{"CU-03", "NS-01", "K8S-B17"},
		Needs:        harness.NodesInZone(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			before := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[0].Hostname))
			s.MustRunIn(ctx, before, zone)
			s.Write(ctx, before, s.Namespace)
			s.Remove(ctx, before)

			after := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[1].Hostname))
			s.MustRunIn(ctx, after, zone)
			s.MustRead(ctx, after, s.Namespace)
		},
	}
}
