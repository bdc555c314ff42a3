package cluster

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A retained volume outlives its claim, in the cluster and in the driver, and its room in
// the zone stays taken.
func retain(t *suite) {
	t.it("keeps a retained volume, and its room, when the claim is deleted",
		verdict.Case("retain", "K8S-A11", "LV-01"),
		func(ctx context.Context, s *scenario) {
			s.mustClaim(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)
			zone := s.zones(1)[0]
			claim := s.claim(ctx, s.class(ctx, workload.Immediate().Retained().AllowedIn(zone.segment)))
			volume := s.mustBind(ctx, claim)
			taken := s.room(ctx, zone)

			s.need(s.resources().Delete(ctx, claim), "deleting the claim")
			s.until(ctx, s.target.Timeouts.Delete, "volume "+volume.Name+" released", s.look(volume, func() error {
				return predicate.VolumeInPhase(volume, corev1.VolumeReleased)
			}))

			held, err := s.holdings(ctx)
			s.check(err)
			if !slices.Contains(held.Volumes, handleOf(volume)) {
				s.fail("the driver no longer lists volume %s, which is to be retained; it lists %v", handleOf(volume), held.Volumes)
			}
			s.check(predicate.Equal("room in zone "+zone.name+" while the volume is retained", s.room(ctx, zone), taken))
		})
}
