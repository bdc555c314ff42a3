// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// The driver says on the node, once, that it cannot grow the file system: the claim says so. The controller is asked again
// whether the volume has its new size, and then the node, which grows it under the pod.
func growNodeInfeasible() harness.Case {
	return harness.Case{
		ID:           "grow_node_infeasible",
		Text:         "says that a growth is infeasible on the node when the driver refuses it there, and tries again",
		Requirements: []string{"K8S-H4", "K8S-H5"},
		Needs:        harness.Needs(harness.Expansion(), harness.RecorderOnNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRun(ctx, pod)
			before := s.FileSystemSize(ctx, pod)
			s.RecorderOn(ctx, s.NodeOf(pod)).InjectOn(ctx, s.VolumeOf(ctx, claim), trace.Rule{
				Method: "NodeExpandVolume", Times: 1, Code: "INVALID_ARGUMENT", Message: saidByCase,
			})
			statuses := s.WatchGrowth(ctx, claim)

			s.Need(s.Grow(ctx, claim, s.Times(2)), "asking for a larger volume")
			s.MustGrowVolume(ctx, claim, s.Times(2))
			s.HurryKubelet(ctx, pod)
			s.PlatformMust(ctx, s.Target.Timeouts.Expand, "K8S-H5", "growth tried again after it failed on the node", func(ctx context.Context) error {
				s.Need(s.Reread(ctx, claim), "reading the claim")
				if !predicate.NeedsNode(claim) {
					suite.Skip(suite.ByCapability, "no node has a part in the growth of the driver's volumes")
				}
				passed, _ := statuses.Seen()
				return predicate.GrowthPassed(passed, corev1.PersistentVolumeClaimNodeResizeInfeasible, corev1.PersistentVolumeClaimNodeResizePending)
			})

			s.MustFinishGrowth(ctx, pod, claim, before, s.Times(2))
			s.MustGoOn(ctx, pod)
			s.MustPassGrowth(ctx, "K8S-H4", claim, statuses, corev1.PersistentVolumeClaimControllerResizeInProgress,
				corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress,
				corev1.PersistentVolumeClaimNodeResizeInfeasible, corev1.PersistentVolumeClaimNodeResizePending, "")
		},
	}
}
