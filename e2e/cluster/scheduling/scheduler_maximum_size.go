// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// There is room for many volumes, and none may be as large as the claim: maximumVolumeSize is what counts.
func schedulerMaximumSize() harness.Case {
	return harness.Case{
		ID:           "scheduler_maximum_size",
		Text:         "refuses a pod whose claim is larger than maximumVolumeSize, though capacity is larger than the claim",
		Requirements: []string{"K8S-E3"},
		Needs:        harness.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := s.CreateStandIn(ctx, true).CreateClass(ctx)
			object := s.CreateCapacity(ctx, class, harness.Capacity{Nodes: harness.In(zone), Bytes: gi(100), Largest: gi(1)})
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustBeUnschedulable(ctx, pod, predicate.NoStorage)

			s.Say(ctx, object, gi(1), gi(5))

			s.MustSelect(ctx, claim, zone)
		},
	}
}
