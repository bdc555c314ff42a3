package cluster

import (
	"context"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A pod that fits nowhere, for a reason that is not storage, gets no volume either.
func wffcWaitsForScheduling(t *suite) {
	t.it("makes no volume for a pod that no node can run",
		verdict.Case("wffc_waits_for_scheduling", "K8S-A2"),
		func(ctx context.Context, s *scenario) {
			wanted := workload.ClaimOf(s.class(ctx, workload.WaitForFirstConsumer())).Size(s.target.VolumeSize).Named("data")
			// The pod comes first: the claim's event tells what is waited for when the claim comes.
			pod := s.pod(ctx, workload.PodWith(wanted.Object()).CPU(resource.MustParse("100k")))
			claim := s.claimAs(ctx, wanted)

			s.mustBeUnschedulable(ctx, pod, predicate.NoCPU)
			s.mustWaitWithoutVolume(ctx, claim, "WaitForPodScheduled")
		})
}
