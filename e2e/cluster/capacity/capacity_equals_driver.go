// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// capacityEqualsDriver compares the published capacity with the driver's answer, zone by zone. One zone is filled, to
// detect a driver that answers the same for all zones.
func capacityEqualsDriver() harness.Case {
	return harness.Case{
		ID:           "capacity_equals_driver",
		Text:         "publishes what the driver answers for each zone, one of which is nearly full",
		Requirements: []string{"CAP-04", "CAP-07", "CAP-12", "K8S-D2"},
		Needs:        needs.All(needs.Zones(2), needs.Exhaustion(), needs.ExactCapacity(), needs.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.AllZones()
			room.Fill(ctx, s, zones[0])
			s.Check(predicate.Fewer("room in the filled zone "+zones[0].Name, room.Free(ctx, s, zones[0]), s.Target.VolumeSize.Value()))
			s.Check(predicate.AtLeast("room in the free zone "+zones[1].Name, room.Free(ctx, s, zones[1]), s.Target.VolumeSize.Value()))
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			room.MustPublishCapacity(ctx, s, class)

			for _, z := range zones {
				what := "capacity of zone " + z.Name + " in its CSIStorageCapacity"
				free := room.Free(ctx, s, z)
				room.MustPublish(ctx, s, class, z, what, func(bytes int64) error {
					return predicate.Equal(what, bytes, free)
				})
			}
		},
	}
}
