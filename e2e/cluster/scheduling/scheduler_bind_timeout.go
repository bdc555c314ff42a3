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
)

// schedulerBindTimeout lets the scheduler's wait for a volume time out, by default after ten minutes. It then reports this,
// and tries again: the node stays selected, and the pod is scheduled to any node of the volume's zone once there is a
// volume.
func schedulerBindTimeout() harness.Case {
	return harness.Case{
		ID:           "scheduler_bind_timeout",
		Text:         "reports that a volume was not created in time, and schedules the pod once it exists",
		Requirements: []string{"K8S-E12"},
		Needs:        needs.All(needs.Zones(1), needs.OwnScheduler()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const seconds = 3
			zone := s.Zones(1)[0]
			scheduler := schedulers.Start(ctx, s, schedulers.Scheduling{VolumeBinding: map[string]any{"bindTimeoutSeconds": seconds}})
			class := standin.Create(ctx, s, false).CreateClass(ctx)
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(*gi(1)))
			selected := claims.WatchSelectedNode(ctx, s, claim)
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zone.Segment).ScheduledBy(scheduler.Name))
			node := claims.MustSelect(ctx, s, claim, zone)

			if !scheduler.MustFail(ctx, pod, "K8S-E12", "binding volumes") {
				return
			}
			claims.MustSelectAs(ctx, s, claim, selected, func(nodes []string) error { return predicate.Kept(nodes, node) })

			claims.CreateVolume(ctx, s, workload.VolumeFor(claim, class).Size(*gi(1)).In(zone.Segment))
			pods.MustBeScheduled(ctx, s, pod)
			s.Check(predicate.PodOn(pod, zone.NodeNames()))
		},
	}
}
