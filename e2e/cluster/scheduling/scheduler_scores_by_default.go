// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// schedulerScoresByDefault uses the cluster's own scheduler, which compares the room of zones since 1.37. Other plugins
// take part, for example with the load of a node: a claim takes almost nothing of one zone, and almost all of the other,
// which outweighs them.
func schedulerScoresByDefault() harness.Case {
	return harness.Case{
		ID:           "scheduler_scores_by_default",
		Text:         "prefers the zone with the most room by default, from Kubernetes 1.37 on",
		Requirements: []string{"K8S-E14"},
		Needs:        needs.All(needs.Zones(2), needs.Kubernetes(scoresSince, "the scheduler compares room")),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const times = 3
			zones := s.Zones(2)
			driver := standin.Create(ctx, s, true)
			// Each zone has the most room once, so that nothing else about the nodes explains the result.
			for i, roomy := range zones {
				class := driver.CreateClass(ctx)
				standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(roomy), Bytes: gi(500)})
				standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zones[1-i]), Bytes: gi(6)})
				for range times {
					claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
					pods.Create(ctx, s, workload.PodWith(claim))
					claims.MustSelect(ctx, s, claim, roomy)
				}
			}
		},
	}
}
