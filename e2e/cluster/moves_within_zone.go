package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume belongs to a zone, not to a node: its claim mounts on another node of the zone,
// with its data.
func movesWithinZone(t *suite) {
	t.it("mounts the volume, with its data, on another node of its zone",
		verdict.Case("moves_within_zone", "CU-03", "NS-01", "K8S-B17"),
		func(ctx context.Context, s *scenario) {
			zone := s.zoneWithNodes(2)
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			before := s.pod(ctx, workload.PodWith(claim).In(zone.segment).OnNode(zone.nodes[0].hostname))
			s.mustRunIn(ctx, before, zone)
			s.write(ctx, before, s.namespace)
			s.remove(ctx, before)

			after := s.pod(ctx, workload.PodWith(claim).In(zone.segment).OnNode(zone.nodes[1].hostname))
			s.mustRunIn(ctx, after, zone)
			s.mustRead(ctx, after, s.namespace)
		})
}
