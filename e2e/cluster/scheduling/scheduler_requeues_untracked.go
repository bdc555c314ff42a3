// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// A pod that waits for room does so no longer when its driver stops tracking capacity. Kubernetes' scheduler is known to
// look at it again only on another occasion, here a change of another object of the class.
func schedulerRequeuesUntracked() harness.Case {
	return harness.Case{
		ID:           "scheduler_requeues_untracked",
		Text:         "looks at a waiting pod again as soon as its CSIDriver no longer tracks capacity",
		Requirements: []string{"K8S-E9"},
		Needs:        harness.Needs(harness.Zones(1), harness.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const soon = 10 * time.Second
			zone := s.Zones(1)[0]
			driver := s.CreateStandIn(ctx, true)
			class := driver.CreateClass(ctx)
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(5)))
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment))
			s.MustBeUnschedulable(ctx, pod, predicate.NoStorage)

			driver.Track(ctx, false)

			if s.Within(ctx, soon, s.Look(claim, func() error { return predicate.ClaimSelects(claim, zone.NodeNames()) })) != nil {
				s.CreateCapacity(ctx, class, harness.Capacity{Nodes: harness.In(zone), Bytes: gi(1)}) // too little, but an occasion
				s.MustSelect(ctx, claim, zone)
				suite.Warn(ctx, "K8S-E9", "the scheduler did not look at pod %s again within %s of the change to its CSIDriver, and did so when an object of its class was created", pod.Name, soon)
			}
		},
	}
}
