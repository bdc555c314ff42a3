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

// immediatePodElsewhere creates a volume before its pod, which must be in another zone:
// the volume does not move, and the scheduler refuses the pod because of the volume.
func immediatePodElsewhere() harness.Case {
	return harness.Case{
		ID:           "immediate_pod_elsewhere",
		Text:         "refuses a pod that must be in another zone than its volume",
		Requirements: []string{"PC-03", "VOL-16", "K8S-A5"},
		Needs:        needs.Zones(2),
		Run: func(ctx context.Context, s *harness.Scenario) {
			zones := s.Zones(2)
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.Immediate().AllowedIn(zones[0].Segment)))
			claims.MustBindBy(ctx, s, []string{"K8S-A5"}, claim, zones[0])
			pod := pods.Create(ctx, s, workload.PodWith(claim).In(zones[1].Segment))

			pods.MustBeUnschedulable(ctx, s, pod, predicate.OtherTopology)
			claims.MustBindBy(ctx, s, []string{"K8S-A5"}, claim, zones[0])
		},
	}
}
