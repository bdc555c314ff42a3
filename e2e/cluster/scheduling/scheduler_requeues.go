// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A pod that waits for room is looked at again when an object comes, or shows more than before: within the limit of this
// wait, and not only when the scheduler looks at all pods again, which it does every five minutes. Objects of other cases
// would be occasions to look again, too.
func schedulerRequeues() harness.Case {
	return harness.Case{
		ID:           "scheduler_requeues",
		Text:         "looks at a waiting pod again as soon as a CSIStorageCapacity object is created, or shows more room",
		Requirements: []string{"K8S-E8", "K8S-E10"},
		Needs:        harness.Needs(harness.Zones(1), harness.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.Zones(1)[0]
			class := s.CreateStandIn(ctx, true).CreateClass(ctx)
			small := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(1)))
			large := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
			first := s.CreatePod(ctx, workload.PodWith(small).In(zone.Segment))
			second := s.CreatePod(ctx, workload.PodWith(large).In(zone.Segment))
			s.MustBeUnschedulable(ctx, first, predicate.NoStorage)
			s.MustBeUnschedulable(ctx, second, predicate.NoStorage)

			object := s.CreateCapacity(ctx, class, harness.Capacity{Nodes: harness.In(zone), Bytes: gi(2)})
			s.MustSelect(ctx, small, zone)
			s.MustBeUnschedulable(ctx, second, predicate.NoStorage)

			s.Say(ctx, object, gi(10), nil)
			s.MustSelect(ctx, large, zone)
		},
	}
}
