package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What is published is what the driver answers, zone by zone; one zone is filled, so that
// a driver that answers alike for all zones is found out.
func capacityEqualsDriver(t *suite) {
	t.it("publishes what the driver answers for each zone, one of which is nearly full",
		verdict.Case("capacity_equals_driver", "CAP-04", "CAP-07", "CAP-12", "K8S-D2"),
		func(ctx context.Context, s *scenario) {
			zones := s.allZones(2)
			s.fill(ctx, zones[0])
			s.check(predicate.Fewer("room in the filled zone "+zones[0].name, s.room(ctx, zones[0]), s.target.VolumeSize.Value()))
			s.check(predicate.AtLeast("room in the free zone "+zones[1].name, s.room(ctx, zones[1]), s.target.VolumeSize.Value()))
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.mustPublishCapacity(ctx, class)

			for _, z := range zones {
				what := "capacity of zone " + z.name + " in its CSIStorageCapacity"
				free := s.room(ctx, z)
				s.mustPublish(ctx, class, z, what, func(bytes int64) error {
					return predicate.Equal(what, bytes, free)
				})
			}
		})
}
