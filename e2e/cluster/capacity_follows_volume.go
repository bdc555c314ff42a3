package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume takes room in its zone and gives it back when its claim is deleted; the driver
// says so and the CSIStorageCapacity object follows at once, not at the next poll.
func capacityFollowsVolume(t *suite) {
	t.it("lowers the zone's capacity by the volume, and gives it back with the claim",
		verdict.Case("capacity_follows_volume", "CAP-07", "CAP-11", "K8S-A11", "K8S-D6", "K8S-D7"),
		func(ctx context.Context, s *scenario) {
			zone := s.zones(1)[0]
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.mustPublishCapacity(ctx, class)
			free := s.room(ctx, zone)
			shown, err := s.published(ctx, class, zone)
			s.need(err, "reading the zone's CSIStorageCapacity")

			claim := s.claim(ctx, class)
			pod := s.pod(ctx, workload.PodWith(claim).In(zone.segment))
			s.mustRunIn(ctx, pod, zone)
			size := s.target.VolumeSize.Value()
			s.check(predicate.AtLeast("bytes that the volume took in the driver", free-s.room(ctx, zone), size))
			s.mustPublish(ctx, class, zone, "lower capacity published", func(bytes int64) error {
				return predicate.AtLeast("bytes that the volume took in the CSIStorageCapacity", shown-bytes, size)
			})

			s.remove(ctx, pod)
			s.need(s.resources().Delete(ctx, claim), "deleting the claim")
			s.mustPublish(ctx, class, zone, "capacity published as before", func(bytes int64) error {
				return predicate.AtLeast("CSIStorageCapacity after the claim was deleted", bytes, shown)
			})
			s.check(predicate.AtLeast("room in the driver after the claim was deleted", s.room(ctx, zone), free))
		})
}
