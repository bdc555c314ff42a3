// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/room"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// fullEverywhere requests a volume larger than any zone's room: its pod stays pending, the
// scheduler gives the reason, and the driver is not called in vain.
func fullEverywhere() harness.Case {
	return harness.Case{
		ID:           "full_everywhere",
		Text:         "refuses a pod whose volume fits in no zone, without asking the driver",
		Requirements: []string{"K8S-E2"},
		Needs:        needs.All(needs.Zones(1), needs.Room(), needs.PublishedCapacity()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			room.MustPublishCapacity(ctx, s, class)
			zones := s.AllZones()
			var most int64
			for _, z := range zones {
				most = max(most, room.Free(ctx, s, z))
			}
			tooMuch := resource.NewQuantity(2*most, resource.BinarySI)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*tooMuch))
			selected := claims.WatchSelectedNode(ctx, s, claim)
			pod := pods.Create(ctx, s, workload.PodWith(claim))

			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoStorage)
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.Check(predicate.ClaimWithoutVolume(claim))
			claims.MustNeverSelect(ctx, s, claim, selected, zones...)
			room.MustHoldNothingNew(ctx, s)
		},
	}
}
