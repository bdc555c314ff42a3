// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// limitOfNode makes the driver report a limit of one volume when the kubelet of a node asks again. The next pod goes to
// another node of the zone, and a pod that may only run on this node waits until the first is gone. It then runs within the
// time limit of the wait, and not only when the scheduler retries all pods, as it does every five minutes.
func limitOfNode() harness.Case {
	return harness.Case{
		ID:           "limit_of_node",
		Text:         "limits a node to the number of volumes that the driver reports, also when that changes",
		Requirements: []string{"K8S-J1", "K8S-J2", "K8S-J3", "K8S-J4"},
		Needs:        needs.All(needs.NodesInZone(2), needs.ChangesLimits()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			full, other := zone.Nodes[0], zone.Nodes[1:]
			nodeplugin.UpdateLimits(ctx, s, full, nodeplugin.ShortestUpdatePeriod)
			nodeplugin.AnswerLimit(ctx, s, full, 1)
			nodeplugin.MustLimit(ctx, s, full, "K8S-J4", 1)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())

			first := pods.Create(ctx, s, workload.PodWith(claims.Create(ctx, s, class)).In(zone.Segment).OnNode(full.Hostname))
			pods.MustRunIn(ctx, s, first, zone)

			second := pods.Create(ctx, s, workload.PodWith(claims.Create(ctx, s, class)).In(zone.Segment).OnNode(full.Hostname))
			s.PlatformMust(ctx, s.Target.Timeouts.Schedule, "K8S-J2", "pod "+second.Name+" refused by the scheduler", s.Look(second, func() error {
				return predicate.PodUnschedulable(second, predicate.TooManyVolumes)
			}))
			elsewhere := pods.Create(ctx, s, workload.PodWith(claims.Create(ctx, s, class)).In(zone.Segment))
			pods.MustRunIn(ctx, s, elsewhere, zone)
			s.PlatformCheck(ctx, "K8S-J2", predicate.PodRunsOn(elsewhere, topology.NodeNames(other...)))

			pods.Remove(ctx, s, first)
			pods.MustRunIn(ctx, s, second, zone)
		},
	}
}
