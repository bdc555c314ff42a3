// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume for one node is not published to a second one while the first uses it; the
// pod there runs when the first is gone.
func singleWriterOneNode() harness.Case {
	return harness.Case{
		ID:           "single_writer_one_node",
		Text:         "keeps a volume on one node, and lets the next have it when the first is done",
		Requirements: []string{"CP-34", "CU-03", "K8S-I6"},
		Needs:        harness.Needs(harness.NodesInZone(2), harness.Controller(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			first := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[0].Hostname))
			s.MustRunIn(ctx, first, zone)
			volume := s.VolumeOf(ctx, claim)

			second := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment).OnNode(zone.Nodes[1].Hostname))
			s.Until(ctx, s.Target.Timeouts.Run, "attachment to a second node refused", func(context.Context) error {
				return predicate.EventSays(s.Events(), second.UID, "FailedAttachVolume", "Multi-Attach error")
			})
			s.MustBePublishedTo(ctx, volume, zone.Nodes[0].ID)

			s.Remove(ctx, first)
			s.MustRunIn(ctx, second, zone)
			s.MustBePublishedTo(ctx, volume, zone.Nodes[1].ID)
		},
	}
}
