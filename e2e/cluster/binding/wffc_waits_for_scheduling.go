// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// wffcWaitsForScheduling creates a pod that fits nowhere, for a reason other than storage: no volume is created for it.
func wffcWaitsForScheduling() harness.Case {
	return harness.Case{
		ID:           "wffc_waits_for_scheduling",
		Text:         "creates no volume for a pod that no node can run",
		Requirements: []string{"K8S-A2"},
		Needs:        needs.Apart(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			wanted := workload.ClaimOf(claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())).Size(s.Target.VolumeSize).Named("data")
			// The pod comes first: the claim's event describes the wait at the time when the
			// claim is created.
			pod := pods.Create(ctx, s, workload.PodWith(wanted.Object()).CPU(resource.MustParse("100k")))
			claim := claims.CreateAs(ctx, s, wanted)

			pods.MustBeUnschedulable(ctx, s, pod, predicate.NoCPU)
			claims.MustWaitWithoutVolume(ctx, s, claim, "WaitForPodScheduled")
		},
	}
}
