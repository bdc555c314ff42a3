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

// schedulerRequeues creates an object, or adds to its room: the scheduler retries a pod that waits for room within the time
// limit of this wait, and not only when it retries all pods, as it does every five minutes. Objects of other cases would
// cause a retry, too.
func schedulerRequeues() harness.Case {
	return harness.Case{
		ID:           "scheduler_requeues",
		Text:         "looks at a waiting pod again as soon as a CSIStorageCapacity object is created, or shows more room",
		Requirements: []string{"K8S-E8", "K8S-E10"},
		Needs:        needs.All(needs.Zones(1), needs.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := standin.Create(ctx, s, true).CreateClass(ctx)
			small := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
			large := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
			first := pods.Create(ctx, s, workload.PodWith(small).In(zone.Segment))
			second := pods.Create(ctx, s, workload.PodWith(large).In(zone.Segment))
			pods.MustBeUnschedulable(ctx, s, first, predicate.NoStorage)
			pods.MustBeUnschedulable(ctx, s, second, predicate.NoStorage)

			object := standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Bytes: gi(2)})
			claims.MustSelect(ctx, s, small, zone)
			pods.MustBeUnschedulable(ctx, s, second, predicate.NoStorage)

			standin.SayCapacity(ctx, s, object, gi(10), nil)
			claims.MustSelect(ctx, s, large, zone)
		},
	}
}
