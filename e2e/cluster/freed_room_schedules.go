package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Room that is given back reaches a pod that waits for it, through the zone's refreshed
// CSIStorageCapacity, well before the scheduler would look again by itself.
func freedRoomSchedules(t *suite) {
	t.it("runs a pod that waited for room as soon as a deleted claim gives some back",
		verdict.Case("freed_room_schedules", "K8S-D7", "K8S-E8"),
		func(ctx context.Context, s *scenario) {
			zone := s.zones(1)[0]
			size := s.target.VolumeSize.Value()
			s.fillUpTo(ctx, zone, size+size/2)
			last := s.claim(ctx, s.class(ctx, workload.Immediate().AllowedIn(zone.segment)))
			s.mustBind(ctx, last)
			class := s.class(ctx, workload.WaitForFirstConsumer())
			claim := s.claim(ctx, class)
			pod := s.pod(ctx, workload.PodWith(claim).In(zone.segment))
			s.mustBeUnschedulable(ctx, pod, predicate.NoStorage)

			s.need(s.resources().Delete(ctx, last), "deleting the claim that took the last room")

			s.mustBindIn(ctx, claim, zone)
			s.mustRunIn(ctx, pod, zone)
		})
}
