package cluster

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume larger than any zone's room leaves its pod pending: the scheduler says why, and
// the driver is not asked in vain.
func fullEverywhere(t *suite) {
	t.it("refuses a pod whose volume fits in no zone, without asking the driver",
		verdict.Case("full_everywhere", "K8S-E2"),
		func(ctx context.Context, s *scenario) {
			class := s.class(ctx, workload.WaitForFirstConsumer())
			s.mustPublishCapacity(ctx, class)
			zones := s.allZones(1)
			var most int64
			for _, z := range zones {
				most = max(most, s.room(ctx, z))
			}
			tooMuch := resource.NewQuantity(2*most, resource.BinarySI)
			claim := s.claimAs(ctx, workload.ClaimOf(class).Size(*tooMuch))
			selected := s.watchSelectedNode(ctx, claim)
			pod := s.pod(ctx, workload.PodWith(claim))

			s.mustBeUnschedulable(ctx, pod, predicate.NoStorage)
			s.need(s.reread(ctx, claim), "reading the claim")
			s.check(predicate.ClaimWithoutVolume(claim))
			s.mustNeverSelect(ctx, claim, selected, zones...)
			s.mustHoldNothingNew(ctx)
		})
}
