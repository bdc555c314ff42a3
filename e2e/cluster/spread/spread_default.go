// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/schedulers"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadDefault creates a Deployment without constraints, whose pods have the scheduler's default constraints, which are
// preferences. They are spread evenly over the zones if no other plugin takes part.
func spreadDefault() harness.Case {
	return harness.Case{
		ID:           "spread_default",
		Text:         "spreads the pods of a Deployment without constraints over the zones, by the scheduler's default constraints",
		Requirements: []string{"K8S-G19"},
		Needs:        needs.All(needs.Zones(3), needs.OwnScheduler()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const replicas, maxSkew = 6, 1
			zones := s.Zones(3)
			scheduler := schedulers.Start(ctx, s, schedulers.Scheduling{ScoredBy: "PodTopologySpread"})
			pods.CreateDeployment(ctx, s, workload.DeploymentOf(replicas).In(topology.SegmentsOf(zones...)...).ScheduledBy(scheduler.Name))

			pods.MustBeSpread(ctx, s, pods.MustRunAll(ctx, s, replicas), zones, maxSkew)
		},
	}
}
