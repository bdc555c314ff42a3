package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The scheduler has no say in where an Immediate volume goes, so nothing is published for
// it. That a later class has its objects shows that the earlier one was seen.
func capacityOnlyWaiting(t *suite) {
	t.it("publishes no CSIStorageCapacity for a class that binds immediately",
		verdict.Case("capacity_only_waiting", "K8S-D4"),
		func(ctx context.Context, s *scenario) {
			immediate := s.class(ctx, workload.Immediate())
			s.mustPublishCapacity(ctx, s.class(ctx, workload.WaitForFirstConsumer()))

			objects, err := s.capacityObjects(ctx, immediate)
			s.need(err, "reading CSIStorageCapacity objects")
			if len(objects) > 0 {
				s.fail("class %s binds immediately and has %d CSIStorageCapacity objects, wanted none; the first is %s",
					immediate.Name, len(objects), objects[0].Name)
			}
		})
}
