// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A node takes one volume, as the driver answers when its kubelet asks again. The next pod goes to another node of the
// zone, and one that may only run on this node waits until the first is gone: within the limit of this wait, and not only
// when the scheduler looks at all pods again, which it does every five minutes.
func limitOfNode() harness.Case {
	return harness.Case{
		ID:           "limit_of_node",
		Text:         "keeps a node to the number of volumes that the driver says it takes, also when that changes",
		Requirements: []string{"K8S-J1", "K8S-J2", "K8S-J3", "K8S-J4"},
		Needs:        harness.Needs(harness.NodesInZone(2), harness.ChangesLimits()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zone := s.ZoneWithNodes(2)
			full, other := zone.Nodes[0], zone.Nodes[1:]
			s.UpdateLimits(ctx, full, harness.ShortestUpdatePeriod)
			s.AnswerLimit(ctx, full, 1)
			s.MustLimit(ctx, full, "K8S-J4", 1)
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())

			first := s.CreatePod(ctx, workload.PodWith(s.CreateClaim(ctx, class)).In(zone.Segment).OnNode(full.Hostname))
			s.MustRunIn(ctx, first, zone)

			second := s.CreatePod(ctx, workload.PodWith(s.CreateClaim(ctx, class)).In(zone.Segment).OnNode(full.Hostname))
			s.PlatformMust(ctx, s.Target.Timeouts.Schedule, "K8S-J2", "pod "+second.Name+" refused by the scheduler", s.Look(second, func() error {
				return predicate.PodUnschedulable(second, predicate.TooManyVolumes)
			}))
			elsewhere := s.CreatePod(ctx, workload.PodWith(s.CreateClaim(ctx, class)).In(zone.Segment))
			s.MustRunIn(ctx, elsewhere, zone)
			s.PlatformCheck(ctx, "K8S-J2", predicate.PodRunsOn(elsewhere, harness.NodeNames(other...)))

			s.Remove(ctx, first)
			s.MustRunIn(ctx, second, zone)
		},
	}
}
