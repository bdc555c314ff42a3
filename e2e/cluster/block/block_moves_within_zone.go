// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// blockMovesWithinZone moves a raw block volume to another node of its zone, where its device has the same data.
func blockMovesWithinZone() harness.Case {
	return harness.Case{
		ID:           "block_moves_within_zone",
		Text:         "provides a raw block volume, with its data, as a device on another node of its zone",
		Requirements: []string{"CU-03", "K8S-M1", "K8S-M2"},
		Needs:        needs.All(needs.NodesInZone(2), needs.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			claim := claimDevice(ctx, s)
			before := pods.Create(ctx, s, workload.PodWithDevice(claim).In(zone.Segment).OnNode(zone.Nodes[0].Hostname))
			pods.MustRunIn(ctx, s, before, zone)
			bytes := data.MustBeDevice(ctx, s, before, s.Target.VolumeSize)
			data.MustWriteDevice(ctx, s, before, bytes, s.Namespace)
			pods.Remove(ctx, s, before)

			after := pods.Create(ctx, s, workload.PodWithDevice(claim).In(zone.Segment).OnNode(zone.Nodes[1].Hostname))
			pods.MustRunIn(ctx, s, after, zone)
			data.MustBeDevice(ctx, s, after, s.Target.VolumeSize)
			data.MustReadDevice(ctx, s, after, bytes, s.Namespace)
		},
	}
}
