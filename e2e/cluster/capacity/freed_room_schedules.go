// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// room that is given back reaches a pod that waits for it, through the zone's refreshed
// CSIStorageCapacity, well before the scheduler would look again by itself.
func freedRoomSchedules() harness.Case {
	return harness.Case{
		ID:           "freed_room_schedules",
		Text:         "runs a pod that waited for room as soon as a deleted claim gives some back",
		Requirements: []string{"K8S-D7", "K8S-E8"},
		Needs:        harness.Needs(harness.Zones(1), harness.Exhaustion()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			size := s.Target.VolumeSize.Value()
			s.FillUpTo(ctx, zone, size+size/2)
			last := s.CreateClaim(ctx, s.CreateClass(ctx, workload.Immediate().AllowedIn(zone.Segment)))
			s.MustBind(ctx, last)
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
			claim := s.CreateClaim(ctx, class)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustBeUnschedulable(ctx, pod, predicate.NoStorage)

			s.Need(s.Resources().Delete(ctx, last), "deleting the claim that took the last room")

			s.MustBindIn(ctx, claim, zone)
			s.MustRunIn(ctx, pod, zone)
		},
	}
}
