// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// capacityFollowsVolume creates a volume, which takes room in its zone, and deletes the claim, which returns it. The driver
// reports both, and the CSIStorageCapacity object follows at once, not at the next poll.
func capacityFollowsVolume() harness.Case {
	return harness.Case{
		ID:           "capacity_follows_volume",
		Text:         "lowers the zone's capacity by the size of the volume, and restores it when the claim is deleted",
		Requirements: []string{"CAP-07", "CAP-11", "K8S-A11", "K8S-D6", "K8S-D7"},
		Needs:        needs.All(needs.Zones(1), needs.Room(), needs.ExactCapacity(), needs.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			room.MustPublishCapacity(ctx, s, class)
			free := room.Free(ctx, s, zone)
			shown, err := room.Published(ctx, s, class, zone)
			s.Need(err, "reading the zone's CSIStorageCapacity")

			claim := claims.Create(ctx, s, class)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustRunIn(ctx, s, pod, zone)
			size := s.Target.VolumeSize.Value()
			s.Check(predicate.AtLeast("bytes that the volume took in the driver", free-room.Free(ctx, s, zone), size))
			room.MustPublish(ctx, s, class, zone, "lower capacity published", func(bytes int64) error {
				return predicate.AtLeast("bytes that the volume took in the CSIStorageCapacity", shown-bytes, size)
			})

			pods.Remove(ctx, s, pod)
			s.Need(s.Resources().Delete(ctx, claim), "deleting the claim")
			room.MustPublish(ctx, s, class, zone, "capacity published as before", func(bytes int64) error {
				return predicate.AtLeast("CSIStorageCapacity after the claim was deleted", bytes, shown)
			})
			s.Check(predicate.AtLeast("room in the driver after the claim was deleted", room.Free(ctx, s, zone), free))
		},
	}
}
