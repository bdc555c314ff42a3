// SPDX-License-Identifier: Apache-2.0

package expansion

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/growth"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// growStatuses reads from the claim's status, while a volume grows, which side is growing it: first the controller, then
// the node if it takes part. At the end, the status is empty.
func growStatuses() harness.Case {
	return harness.Case{
		ID:           "grow_statuses",
		Text:         "shows the progress of a growth in the claim's status, and clears it at the end",
		Requirements: []string{"CE-05", "CE-14", "K8S-H4"},
		Needs:        needs.Expansion(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			statuses := claims.WatchGrowth(ctx, s, claim)

			growth.MustDouble(ctx, s, pod, claim)

			wanted := []corev1.ClaimResourceStatus{corev1.PersistentVolumeClaimControllerResizeInProgress}
			if predicate.NeedsNode(claim) {
				wanted = append(wanted, corev1.PersistentVolumeClaimNodeResizePending, corev1.PersistentVolumeClaimNodeResizeInProgress)
			}
			growth.MustPass(ctx, s, "K8S-H4", claim, statuses, append(wanted, "")...)
		},
	}
}
