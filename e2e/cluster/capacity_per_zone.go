package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The scheduler learns of room from one object per class and topology.
func capacityPerZone(t *suite) {
	t.it("publishes one CSIStorageCapacity per zone for a class that waits for its consumer",
		verdict.Case("capacity_per_zone", "K8S-D1", "K8S-D3"),
		func(ctx context.Context, s *scenario) {
			s.mustPublishCapacity(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
		})
}
