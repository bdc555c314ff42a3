package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume grows under a running pod: the claim, the volume and, inside the pod, df show
// it, and the data stay.
func growMounted(t *suite) {
	t.it("grows a mounted volume, as df shows inside the pod",
		verdict.Case("grow_mounted", "PC-07", "CE-05", "CE-13", "K8S-H2"),
		func(ctx context.Context, s *scenario) {
			s.mustGrowVolumes()
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRun(ctx, pod)
			s.write(ctx, pod, s.namespace)

			s.mustGrowUnder(ctx, pod, claim)

			s.mustRead(ctx, pod, s.namespace)
		})
}
