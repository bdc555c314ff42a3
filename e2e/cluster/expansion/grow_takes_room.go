// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growTakesRoom grows a volume, which takes room in its zone, as the driver reports. The provisioner does not notice
// growth: its published capacity follows when it calls GetCapacity again, at its poll or, as here, because it creates
// another volume there.
func growTakesRoom() harness.Case {
	return harness.Case{
		ID:           "grow_takes_room",
		Text:         "lowers the zone's capacity by what a volume grew, and publishes it when it asks the driver again",
		Requirements: []string{"CAP-07", "K8S-H7"},
		Needs:        needs.All(needs.Zones(1), needs.Room(), needs.ExactCapacity(), needs.PublishedCapacity(), needs.Expansion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			claim := claims.Create(ctx, s, class)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustRunIn(ctx, s, pod, zone)
			before := room.Free(ctx, s, zone)

			growth.MustDouble(ctx, s, pod, claim)
			s.Check(predicate.AtLeast("bytes that the growth took in the driver", before-room.Free(ctx, s, zone), s.Target.VolumeSize.Value()))

			claims.MustBind(ctx, s, claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment))))
			room.MustPublish(ctx, s, class, zone, "capacity published after the growth", func(bytes int64) error {
				return predicate.Equal("CSIStorageCapacity of zone "+zone.Name, bytes, room.Free(ctx, s, zone))
			})
		},
	}
}
