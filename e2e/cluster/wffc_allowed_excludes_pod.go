package cluster

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A pod that must be where the class allows no volume is refused before the driver is asked.
func wffcAllowedExcludesPod(t *suite) {
	t.it("refuses a pod in a zone where the class allows no volume, and makes none",
		verdict.Case("wffc_allowed_excludes_pod", "K8S-A6"),
		func(ctx context.Context, s *scenario) {
			zones := s.zones(2)
			class := s.class(ctx, workload.WaitForFirstConsumer().AllowedIn(zones[0].segment))
			claim := s.claim(ctx, class)
			selected := s.watchSelectedNode(ctx, claim)
			pod := s.pod(ctx, workload.PodWith(claim).In(zones[1].segment))

			s.mustBeUnschedulable(ctx, pod, predicate.NoVolumeToBind)
			s.need(s.reread(ctx, claim), "reading the claim")
			s.check(predicate.ClaimWithoutVolume(claim))
			s.mustNeverSelect(ctx, claim, selected, zones...)
			s.mustHoldNothingNew(ctx)
		})
}
