package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without a pod there is no telling where the volume is wanted, so none is made.
func wffcWaitsForConsumer(t *suite) {
	t.it("makes no volume before there is a pod",
		verdict.Case("wffc_waits_for_consumer", "K8S-A1"),
		func(ctx context.Context, s *scenario) {
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))

			s.mustWaitWithoutVolume(ctx, claim, "WaitForFirstConsumer")
		})
}
