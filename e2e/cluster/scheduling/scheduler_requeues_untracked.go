// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/standin"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// schedulerRequeuesUntracked stops a driver's capacity tracking, so a pod no longer waits for room. Kubernetes' scheduler
// is known to retry it only on another occasion, here a change of another object of the class.
func schedulerRequeuesUntracked() harness.Case {
	return harness.Case{
		ID:           "scheduler_requeues_untracked",
		Text:         "looks at a waiting pod again as soon as its CSIDriver no longer tracks capacity",
		Requirements: []string{"K8S-E9"},
		Needs:        needs.All(needs.Zones(1), needs.Alone()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const soon = 10 * time.Second
			zone := s.Zones(1)[0]
			driver := standin.Create(ctx, s, true)
			class := driver.CreateClass(ctx)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(5)))
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment))
			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoStorage)

			driver.Track(ctx, false)

			if s.Within(ctx, soon, s.Look(claim, func() error { return predicate.ClaimSelects(claim, zone.NodeNames()) })) != nil {
				standin.CreateCapacity(ctx, s, class, standin.Capacity{Nodes: standin.In(zone), Bytes: gi(1)}) // too little, but an occasion
				claims.MustSelect(ctx, s, claim, zone)
				suite.Warn(ctx, "K8S-E9", "the scheduler did not look at pod %s again within %s of the change to its CSIDriver, and did so when an object of its class was created", pod.Name, soon)
			}
		},
	}
}
