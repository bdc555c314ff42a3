// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A pod that fits nowhere, for a reason that is not storage, gets no volume either.
func wffcWaitsForScheduling() harness.Case {
	return harness.Case{
		ID:           "wffc_waits_for_scheduling",
		Text:         "makes no volume for a pod that no node can run",
		Requirements: []string{"K8S-A2"},
		Needs:        harness.Apart(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			wanted := workload.ClaimOf(s.CreateClass(ctx, workload.WaitForFirstConsumer())).Size(s.Target.VolumeSize).Named("data")
			// The pod comes first: the claim's event tells what is waited for when the claim comes.
			pod := s.CreatePod(ctx, workload.PodWith(wanted.Object()).CPU(resource.MustParse("100k")))
			claim := s.CreateClaimAs(ctx, wanted)

			s.MustBeUnschedulable(ctx, pod, predicate.NoCPU)
			s.MustWaitWithoutVolume(ctx, claim, "WaitForPodScheduled")
		},
	}
}
