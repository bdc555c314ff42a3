package cluster

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that waits for its first consumer is made where the scheduler wants the pod:
// shown for each zone in turn, so that no driver passes by always choosing the same one.
func wffcEachZone(t *suite) {
	for i, ordinal := range []string{"first", "second", "third", "fourth"} {
		t.it("makes the volume of a pod in the "+ordinal+" zone in that zone",
			verdict.Case(fmt.Sprintf("wffc_each_zone_%d", i+1), "TR-01", "TR-09", "VOL-16", "PC-03", "K8S-A3", "K8S-C18"),
			func(ctx context.Context, s *scenario) {
				zone := s.zones(i + 1)[i]
				claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
				pod := s.pod(ctx, workload.PodWith(claim).In(zone.segment))

				s.mustBindIn(ctx, claim, zone)
				s.mustRunIn(ctx, pod, zone)
			})
	}
}
