package cluster

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for one node is not published to a second one while the first uses it; the
// pod there runs when the first is gone.
func singleWriterOneNode(t *suite) {
	t.it("keeps a volume on one node, and lets the next have it when the first is done",
		verdict.Case("single_writer_one_node", "CP-34", "CU-03", "K8S-I6"),
		func(ctx context.Context, s *scenario) {
			s.mustClaim(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)
			zone := s.zoneWithNodes(2)
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			first := s.pod(ctx, workload.PodWith(claim).In(zone.segment).OnNode(zone.nodes[0].hostname))
			s.mustRunIn(ctx, first, zone)
			volume := s.volumeOf(ctx, claim)

			second := s.pod(ctx, workload.PodWith(claim).In(zone.segment).OnNode(zone.nodes[1].hostname))
			s.until(ctx, s.target.Timeouts.Run, "attachment to a second node refused", func(context.Context) error {
				return predicate.EventSays(s.events(), second.UID, "FailedAttachVolume", "Multi-Attach error")
			})
			s.mustBePublishedTo(ctx, volume, zone.nodes[0].id)

			s.remove(ctx, first)
			s.mustRunIn(ctx, second, zone)
			s.mustBePublishedTo(ctx, volume, zone.nodes[1].id)
		})
}
