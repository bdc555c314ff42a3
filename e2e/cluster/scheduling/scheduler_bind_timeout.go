// SPDX-License-Identifier: Apache-2.0

package scheduling

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// The scheduler waits for a volume only so long, ten minutes unless it is told otherwise. Then it says so, and tries again:
// the node stays selected, and the pod is scheduled once there is a volume, to any node of its zone.
func schedulerBindTimeout() harness.Case {
	return harness.Case{
		ID:           "scheduler_bind_timeout",
		Text:         "says that a volume was not created in time, and schedules the pod once it is there",
		Requirements: []string{"K8S-E12"},
		Needs:        harness.Needs(harness.Zones(1), harness.OwnScheduler()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const seconds = 3
			zone := s.Zones(1)[0]
			scheduler := s.StartScheduler(ctx, harness.Scheduling{VolumeBinding: map[string]any{"bindTimeoutSeconds": seconds}})
			class := s.CreateStandIn(ctx, false).CreateClass(ctx)
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(*gi(1)))
			selected := s.WatchSelectedNode(ctx, claim)
			pod := s.CreatePod(ctx, workload.PodWith(claim).In(zone.Segment).ScheduledBy(scheduler.Name))
			node := s.MustSelect(ctx, claim, zone)

			if !scheduler.MustFail(ctx, pod, "K8S-E12", "binding volumes") {
				return
			}
			s.MustSelectAs(ctx, claim, selected, func(nodes []string) error { return predicate.Kept(nodes, node) })

			s.CreateVolume(ctx, workload.VolumeFor(claim, class).Size(*gi(1)).In(zone.Segment))
			s.MustBeScheduled(ctx, pod)
			s.Check(predicate.PodOn(pod, zone.NodeNames()))
		},
	}
}
