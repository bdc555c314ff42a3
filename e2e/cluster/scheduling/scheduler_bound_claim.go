// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A claim that has its volume needs no room, whatever the objects say.
func schedulerBoundClaim() harness.Case {
	return harness.Case{
		ID:           "scheduler_bound_claim",
		Text:         "schedules a pod whose claim is bound, where no room is left",
		Requirements: []string{"K8S-E15"},
		Needs:        harness.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := s.CreateStandIn(ctx, true).CreateClass(ctx)
			s.CreateCapacity(ctx, class, harness.Capacity{Nodes: harness.In(zone), Bytes: gi(0)})
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
			s.CreateVolume(ctx, workload.VolumeFor(claim, class).Size(*gi(5)).In(zone.Segment))
			s.MustBind(ctx, claim)

			s.MustNotBeRefused(ctx, s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment)), predicate.NoStorage)
		},
	}
}
