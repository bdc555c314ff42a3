// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodes"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadMissingLabel uses a node without the label of a constraint, which is no domain: no pod with the constraint goes
// there. Once it has the label, it is a domain.
func spreadMissingLabel() []harness.Case {
	var cases []harness.Case
	for _, v := range variants() {
		cases = append(cases, harness.Case{
			ID:           "spread_missing_label" + v.suffix,
			Text:         "keeps " + v.words + " from a node without the label of the constraint, until it has it",
			Requirements: []string{"K8S-G13"},
			Needs:        needs.All(needs.Zones(2), needs.ChangesNodes()),
			Run: func(ctx context.Context, s *harness.Scenario) {
				zones := s.Zones(2)
				rack := "csi-topo/" + s.Namespace
				nodes.Label(ctx, s, rack, "rack-1", zones[0].Nodes[0])
				b := boardOf(ctx, s, v.volumes)
				there := zones[1].Nodes[0]
				b.putOn(ctx, []topology.Node{there}, 2)

				pod := b.pod(ctx, func(p *workload.Pod) *workload.Pod {
					return p.OnNode(there.Hostname).Spreading(over(rack, 2, corev1.DoNotSchedule))
				})
				pods.MustBeUnschedulable(ctx, b.Scenario, pod, predicate.NoSpreadLabel)

				nodes.Label(ctx, s, rack, "rack-2", there)
				b.mustRunIn(ctx, pod, zones[1])
			},
		})
	}
	return cases
}
