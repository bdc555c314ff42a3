// SPDX-License-Identifier: Apache-2.0

package spread

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/topology"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// spreadStatefulSet spreads six pods over three zones with a skew of at most one: each zone has two, with their volumes.
func spreadStatefulSet() harness.Case {
	return harness.Case{
		ID:           "spread_stateful_set",
		Text:         "spreads six pods of a StatefulSet and their volumes two to each of three zones",
		Requirements: []string{"PC-03", "K8S-G20"},
		Needs:        needs.Zones(3),
		Run: func(ctx context.Context, s *harness.Scenario) {
			const replicas, maxSkew = 6, 1
			zones := s.Zones(3)
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			pods.CreateStatefulSet(ctx, s, workload.StatefulSetOf(class, replicas).In(topology.SegmentsOf(zones...)...).
				Spread(s.Target.ZoneKey, maxSkew, corev1.DoNotSchedule))

			running := pods.MustRunAll(ctx, s, replicas)
			pods.MustBeSpread(ctx, s, running, zones, maxSkew)
		},
	}
}
