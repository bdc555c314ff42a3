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

// schedulerMaximumSize publishes room for many volumes, each of which must be smaller than the claim: maximumVolumeSize
// decides.
func schedulerMaximumSize() harness.Case {
	return harness.Case{
		ID:           "scheduler_maximum_size",
		Text:         "refuses a pod whose claim is larger than maximumVolumeSize, though capacity is larger than the claim",
		Requirements: []string{"K8S-E3"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := standin.Create(ctx, s, true).CreateClass(ctx)
			object := standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Bytes: gi(100), Largest: gi(1)})
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoStorage)

			standin.SayCapacity(ctx, s, object, gi(1), gi(5))

			claims.MustSelect(ctx, s, claim, zone)
		},
	}
}
