// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/schedulers"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// schedulerScoresMaximumSize publishes the maximum size of a volume, but not the free room. The scheduler then has nothing
// to compare, and continues. It only compares if there are two nodes to choose from.
func schedulerScoresMaximumSize() harness.Case {
	return harness.Case{
		ID:           "scheduler_scores_maximum_size",
		Text:         "tolerates a CSIStorageCapacity object that has only maximumVolumeSize, with StorageCapacityScoring",
		Requirements: []string{"K8S-E13"},
		Needs:        needs.All(needs.Zones(2), needs.OwnScheduler()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			scheduler := schedulers.Start(ctx, s, schedulers.Scheduling{Gates: scoring(s)})
			class := standin.Create(ctx, s, true).CreateClass(ctx)
			for _, zone := range zones {
				standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Largest: gi(100)})
			}
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
			pods.Create(ctx, s, workload.PodWith(claim).ScheduledBy(scheduler.Name))

			var crash string
			s.Until(ctx, s.Target.Timeouts.Schedule, "node selected, or scheduler crashed", s.Look(claim, func() error {
				if crash = scheduler.Crash(ctx); crash != "" {
					return nil
				}
				return predicate.ClaimSelects(claim, append(zones[0].NodeNames(), zones[1].NodeNames()...))
			}))
			if crash != "" {
				suite.Warn(ctx, "K8S-E13", "the scheduler crashed when it compared nodes by an object without capacity: %s", crash)
			}
		},
	}
}
