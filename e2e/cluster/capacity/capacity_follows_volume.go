// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume takes room in its zone and gives it back when its claim is deleted; the driver
// says so and the CSIStorageCapacity object follows at once, not at the next poll.
func capacityFollowsVolume() harness.Case {
	return harness.Case{
		ID:           "capacity_follows_volume",
		Text:         "lowers the zone's capacity by the volume, and gives it back with the claim",
		Requirements: []string{"CAP-07", "CAP-11", "K8S-A11", "K8S-D6", "K8S-D7"},
		Needs:        harness.Needs(harness.Zones(1), harness.Room(), harness.ExactCapacity(), harness.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
			s.MustPublishCapacity(ctx, class)
			free := s.Room(ctx, zone)
			shown, err := s.Published(ctx, class, zone)
			s.Need(err, "reading the zone's CSIStorageCapacity")

			claim := s.CreateClaim(ctx, class)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustRunIn(ctx, pod, zone)
			size := s.Target.VolumeSize.Value()
			s.Check(predicate.AtLeast("bytes that the volume took in the driver", free-s.Room(ctx, zone), size))
			s.MustPublish(ctx, class, zone, "lower capacity published", func(bytes int64) error {
				return predicate.AtLeast("bytes that the volume took in the CSIStorageCapacity", shown-bytes, size)
			})

			s.Remove(ctx, pod)
			s.Need(s.Resources().Delete(ctx, claim), "deleting the claim")
			s.MustPublish(ctx, class, zone, "capacity published as before", func(bytes int64) error {
				return predicate.AtLeast("CSIStorageCapacity after the claim was deleted", bytes, shown)
			})
			s.Check(predicate.AtLeast("room in the driver after the claim was deleted", s.Room(ctx, zone), free))
		},
	}
}
