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

// freedRoomSchedules deletes a claim in a full zone: the zone's CSIStorageCapacity is refreshed, and a pod that waits for
// room runs well before the scheduler retries by itself.
func freedRoomSchedules() harness.Case {
	return harness.Case{
		ID:           "freed_room_schedules",
		Text:         "runs a pod that waited for room as soon as a deleted claim gives some back",
		Requirements: []string{"K8S-D7", "K8S-E8"},
		Needs:        needs.All(needs.Zones(1), needs.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			size := s.Target.VolumeSize.Value()
			room.FillUpTo(ctx, s, zone, size+size/2)
			last := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zone.Segment)))
			claims.MustBind(ctx, s, last)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			claim := claims.Create(ctx, s, class)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoStorage)

			s.Need(s.Resources().Delete(ctx, last), "deleting the claim that took the last room")

			claims.MustBindIn(ctx, s, claim, zone)
			pods.MustRunIn(ctx, s, pod, zone)
		},
	}
}
