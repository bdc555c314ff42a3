package cluster

import (
	"cmp"
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A pod goes where there is room because CSIStorageCapacity says so. It prefers the full
// zone as strongly as it can, and without a volume it would go there; the object of that
// zone shows too little, and the zone is never selected.
func fullZoneAvoided(t *suite) {
	t.it("sends a pod past the full zone that it prefers, because CSIStorageCapacity shows no room",
		verdict.Case("full_zone_avoided", "CAP-07", "PC-03", "K8S-E1"),
		func(ctx context.Context, s *scenario) {
			full := s.zones(2)[0]
			s.fill(ctx, full)
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.mustPublishCapacity(ctx, class)
			shown, err := s.published(ctx, class, full)
			s.need(err, "reading the full zone's CSIStorageCapacity")
			s.check(predicate.Fewer("CSIStorageCapacity of the full zone "+full.name, shown, s.target.VolumeSize.Value()))

			without := s.pod(ctx, workload.SleepingPod().Preferring(full.segment))
			claim := s.claim(ctx, class)
			selected := s.watchSelectedNode(ctx, claim)
			with := s.pod(ctx, workload.PodWith(claim).Preferring(full.segment))

			s.until(ctx, s.target.Timeouts.Run, "pod ready, without the full zone ever selected", s.look(with, func() error {
				nodes, _ := selected.seen()
				return cmp.Or(predicate.NeverSelected(nodes, full.nodeNames()), predicate.PodRuns(with))
			}))
			s.mustRunIn(ctx, with, s.allBut(full)...)
			s.mustShareZone(ctx, claim, with)
			s.mustRunIn(ctx, without, full)
			s.mustNeverSelect(ctx, claim, selected, full)
		})
}
