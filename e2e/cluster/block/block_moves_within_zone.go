// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A raw block volume belongs to a zone, not to a node: on another node of the zone its device has the same bytes.
func blockMovesWithinZone() harness.Case {
	return harness.Case{
		ID:           "block_moves_within_zone",
		Text:         "has a raw block volume, with its data, as a device on another node of its zone",
		Requirements: []string{"CU-03", "K8S-M1", "K8S-M2"},
		Needs:        harness.Needs(harness.NodesInZone(2), harness.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			claim := claimDevice(ctx, s)
			before := s.CreatePod(ctx, workload.PodWithDevice(claim).In(zone.Segment).OnNode(zone.Nodes[0].Hostname))
			s.MustRunIn(ctx, before, zone)
			bytes := s.MustBeDevice(ctx, before, s.Target.VolumeSize)
			s.MustWriteDevice(ctx, before, bytes, s.Namespace)
			s.Remove(ctx, before)

			after := s.CreatePod(ctx, workload.PodWithDevice(claim).In(zone.Segment).OnNode(zone.Nodes[1].Hostname))
			s.MustRunIn(ctx, after, zone)
			s.MustBeDevice(ctx, after, s.Target.VolumeSize)
			s.MustReadDevice(ctx, after, bytes, s.Namespace)
		},
	}
}
