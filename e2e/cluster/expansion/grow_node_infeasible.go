// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/recorder"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// growNodeInfeasible makes the driver answer on the node, once, that it cannot grow the file system: the claim shows this.
// The call to the controller is repeated, and then the call to the node, which grows the volume under the pod.
func growNodeInfeasible() harness.Case {
	return harness.Case{
		ID:           "grow_node_infeasible",
		Text:         "reports a growth as infeasible on the node when the driver refuses it there, and tries again",
		Requirements: []string{"K8S-H4", "K8S-H5"},
		Needs:        needs.All(needs.Expansion(), needs.RecorderOnNodes()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			before := data.FileSystemSize(ctx, s, pod)
			recorder.On(ctx, s, s.NodeOf(pod)).InjectOn(ctx, claims.VolumeOf(ctx, s, claim), trace.Rule{
				Method: "NodeExpandVolume", Times: 1, Code: "INVALID_ARGUMENT", Message: saidByCase,
			})
			statuses := claims.WatchGrowth(ctx, s, claim)

			s.Need(growth.Ask(ctx, s, claim, growth.Times(s, 2)), "asking for a larger volume")
			growth.MustReachVolume(ctx, s, claim, growth.Times(s, 2))
			growth.HurryKubelet(ctx, s, pod)
			s.PlatformMust(ctx, s.Target.Timeouts.Expand, "K8S-H5", "growth tried again after it failed on the node", func(ctx context.Context) error {
				s.Need(s.Reread(ctx, claim), "reading the claim")
				if !predicate.NeedsNode(claim) {
					suite.Skip(suite.ByCapability, "no node takes part in growing the driver's volumes")
				}
				passed, _ := statuses.Seen()
				return predicate.GrowthPassed(passed, corev1.PersistentVolumeClaimNodeResizeInfeasible, corev1.PersistentVolumeClaimNodeResizePending)
			})

			growth.MustFinish(ctx, s, pod, claim, before, growth.Times(s, 2))
			pods.MustGoOn(ctx, s, pod)
			growth.MustPass(ctx, s, "K8S-H4", claim, statuses, corev1.PersistentVolumeClaimControllerResizeInProgress,
				corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress,
				corev1.PersistentVolumeClaimNodeResizeInfeasible, corev1.PersistentVolumeClaimNodeResizePending, "")
		},
	}
}
