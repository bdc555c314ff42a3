// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// wffcNodeName sets spec.nodeName of a pod, which bypasses the scheduler, so that no node is selected for the claim: the
// kubelet complains about an unbound claim, and the provisioner does nothing. A second pod, which names the node to the
// scheduler instead, makes both run.
func wffcNodeName() harness.Case {
	return harness.Case{
		ID:           "wffc_node_name",
		Text:         "keeps a pod that bypasses the scheduler waiting for its volume, and runs it once a scheduled pod uses the same claim",
		Requirements: []string{"K8S-A13"},
		Needs:        needs.Zones(1),
		Run: func(ctx context.Context, s *harness.Scenario) {
			node := s.Zones(1)[0].Nodes[0]
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			selected := claims.WatchSelectedNode(ctx, s, claim)
			stuck := pods.Create(ctx, s, workload.PodWith(claim).Bypassing(node.Name))

			s.Until(ctx, s.Target.Timeouts.Bind, "claim waiting for a pod that the scheduler sees", s.Look(claim, func() error {
				return predicate.ClaimWaits(claim, s.Events(), "WaitForFirstConsumer", "WaitForPodScheduled")
			}))
			s.Until(ctx, s.Target.Timeouts.Bind, "kubelet complaining about pod "+stuck.Name, func(context.Context) error {
				return predicate.EventSays(s.Events(), stuck.UID, "FailedMount")
			})
			s.Need(s.Reread(ctx, claim), "reading the claim")
			s.Check(predicate.ClaimWithoutVolume(claim))
			claims.MustNeverSelect(ctx, s, claim, selected, s.AllZones()...)

			pod := pods.Create(ctx, s, workload.PodWith(claim).OnNode(node.Hostname))
			pods.MustRun(ctx, s, pod)
		},
	}
}
