// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// spreadRollingUpdate uses matchLabelKeys with pod-template-hash, which spreads each revision of a Deployment separately:
// the pods of the replaced revision do not count. The API server writes the key's value into the selector of the pods'
// constraint.
func spreadRollingUpdate() harness.Case {
	return harness.Case{
		ID:           "spread_rolling_update",
		Text:         "spreads each revision of a Deployment separately under matchLabelKeys",
		Requirements: []string{"K8S-G12"},
		Needs:        needs.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const replicas, maxSkew, hash = 3, 1, "pod-template-hash"
			zones := s.Zones(3)
			constraint := over(s.Target.ZoneKey, maxSkew, corev1.DoNotSchedule)
			constraint.MatchLabelKeys = []string{hash}
			deployment := pods.CreateDeployment(ctx, s, workload.DeploymentOf(replicas).In(topology.SegmentsOf(zones...)...).Spreading(constraint))
			pods.MustBeSpread(ctx, s, pods.MustRunAll(ctx, s, replicas), zones, maxSkew)

			pods.MustRollOut(ctx, s, deployment)

			running := pods.MustRunAll(ctx, s, replicas)
			pods.MustBeSpread(ctx, s, running, zones, maxSkew)
			for _, pod := range running {
				selector := pod.Spec.TopologySpreadConstraints[0].LabelSelector
				suite.Evidence(ctx, "selector of "+pod.Name, selector)
				if !slices.ContainsFunc(predicate.SelectedValues(selector, hash), func(value string) bool { return value == pod.Labels[hash] }) {
					s.Fail("the constraint of pod %s selects %s %v, want its own revision, %s",
						pod.Name, hash, predicate.SelectedValues(selector, hash), pod.Labels[hash])
				}
			}
		},
	}
}
