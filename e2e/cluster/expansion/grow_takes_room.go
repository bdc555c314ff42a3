// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume that grows takes room in its zone, and the driver says so. The provisioner does not know of growth: what it
// publishes follows when it asks again, at its poll or, as here, because it creates another volume there.
func growTakesRoom() harness.Case {
	return harness.Case{
		ID:           "grow_takes_room",
		Text:         "lowers the zone's capacity by what a volume grew, and publishes it when it asks the driver again",
		Requirements: []string{"CAP-07", "K8S-H7"},
		Needs:        harness.Needs(harness.Zones(1), harness.Room(), harness.ExactCapacity(), harness.PublishedCapacity(), harness.Expansion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
			claim := s.CreateClaim(ctx, class)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustRunIn(ctx, pod, zone)
			before := s.Room(ctx, zone)

			s.MustGrowUnder(ctx, pod, claim)
			s.Check(predicate.AtLeast("bytes that the growth took in the driver", before-s.Room(ctx, zone), s.Target.VolumeSize.Value()))

			s.MustBind(ctx, s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(zone.Segment))))
			s.MustPublish(ctx, class, zone, "capacity published after the growth", func(bytes int64) error {
				return predicate.Equal("CSIStorageCapacity of zone "+zone.Name, bytes, s.Room(ctx, zone))
			})
		},
	}
}
