// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume larger than any zone's room leaves its pod pending: the scheduler says why, and
// the driver is not asked in vain.
func fullEverywhere() harness.Case {
	return harness.Case{
		ID:           "full_everywhere",
		Text:         "refuses a pod whose volume fits in no zone, without asking the driver",
		Requirements: []string{"K8S-E2"},
		Needs:        harness.Needs(harness.Zones(1), harness.Room(), harness.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
			s.MustPublishCapacity(ctx, class)
			zones := s.AllZones()
			var most int64
			for _, z := range zones {
				most = max(most, s.Room(ctx, z))
			}
			tooMuch := resource.NewQuantity(2*most, resource.BinarySI)
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*tooMuch))
			selected := s.WatchSelectedNode(ctx, claim)
			pod := s.CreatePod(ctx, workload.PodWith(claim))

			s.MustBeUnschedulable(ctx, pod, predicate.NoStorage)
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.Check(predicate.ClaimWithoutVolume(claim))
			s.MustNeverSelect(ctx, claim, selected, zones...)
			s.MustHoldNothingNew(ctx)
		},
	}
}
