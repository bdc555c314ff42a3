package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was mounted before the driver restarted on its node grows under its running
// pod, and the data stay.
func growAfterRestart(t *suite) {
	t.it("grows a mounted volume after the driver restarted on its node",
		verdict.Case("grow_after_restart", "PC-07", "CE-05", "CE-13", "K8S-H2"),
		func(ctx context.Context, s *scenario) {
			s.mustGrowVolumes()
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRun(ctx, pod)
			s.write(ctx, pod, s.namespace)

			s.mustRestart(ctx, s.nodePluginOn(ctx, s.nodeOf(pod)))
			s.mustGoOn(ctx, pod)

			s.mustGrowUnder(ctx, pod, claim)

			s.mustRead(ctx, pod, s.namespace)
		})
}
