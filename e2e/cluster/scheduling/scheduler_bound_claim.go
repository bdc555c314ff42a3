// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerBoundClaim shows that a claim that has its volume needs no room, regardless of the objects.
func schedulerBoundClaim() harness.Case {
	return harness.Case{
		ID:           "scheduler_bound_claim",
		Text:         "schedules a pod whose claim is bound, even where no room is left",
		Requirements: []string{"K8S-E15"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := standin.Create(ctx, s, true).CreateClass(ctx)
			standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Bytes: gi(0)})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
			claims.CreateVolume(ctx, s, workload.VolumeFor(claim, class).Size(*gi(5)).In(zone.Segment))
			claims.MustBind(ctx, s, claim)

			pods.MustNotBeRefused(ctx, s, pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment)), predicate.NoStorage)
		},
	}
}
