// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// singleWriterOneNode keeps a volume for a single node off a second node while the first uses it; the pod there runs once
// the first is gone.
func singleWriterOneNode() harness.Case {
	return harness.Case{
		ID:           "single_writer_one_node",
		Text:         "keeps a volume on one node, and gives it to the next when the first is done",
		Requirements: []string{"CP-34", "CU-03", "CU-10", "K8S-I6"},
		Needs:        needs.All(needs.NodesInZone(2), needs.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			claim := claims.Create(ctx, s, class)
			first := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[0].Hostname))
			pods.MustRunIn(ctx, s, first, zone)
			volume := claims.VolumeOf(ctx, s, claim)

			// The attachments of one pod's volumes are decided at once: if the other volume is attached, this one was
			// denied.
			other := claims.Create(ctx, s, class)
			second := pods.Create(ctx, s, workload.PodWith(claim).And(other).In(zone.Segment).OnNode(zone.Nodes[1].Hostname))
			attachments.MustBeAttached(ctx, s, other, second)
			elsewhere := attachments.Attached(ctx, s, volume, first)
			s.PlatformCheck(ctx, "K8S-I6", elsewhere)
			if elsewhere != nil {
				return // the driver was asked to publish the volume to both nodes: no verdict is possible
			}
			attachments.MustBePublishedTo(ctx, s, volume, zone.Nodes[0].ID)

			pods.Remove(ctx, s, first)
			suite.About([]string{"CP-34", "CU-10"}, func() {
				pods.MustRunIn(ctx, s, second, zone)
				attachments.MustBePublishedTo(ctx, s, volume, zone.Nodes[1].ID)
			})
		},
	}
}
