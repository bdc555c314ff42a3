// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// blockDetachedAfterPod removes the pod of a raw block volume, whose device exists on the node only while a pod uses it:
// afterwards, nothing of it is left there, and the volume is attached nowhere.
func blockDetachedAfterPod() harness.Case {
	return harness.Case{
		ID:           "block_detached_after_pod",
		Text:         "removes the device from the node with its pod, and detaches the volume",
		Requirements: []string{"CU-10", "K8S-M2", "K8S-I7"},
		Needs:        needs.All(needs.Block(), needs.NodeService()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claimDevice(ctx, s)
			pod := pods.Create(ctx, s, workload.PodWithDevice(claim))
			pods.MustRun(ctx, s, pod)
			volume := claims.VolumeOf(ctx, s, claim)
			if s.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				s.Check(attachments.Attached(ctx, s, volume, pod))
			}
			mounts := nodeplugin.WatchMounts(ctx, s, nodeplugin.On(ctx, s, s.NodeOf(pod)), volume)

			pods.Remove(ctx, s, pod)

			mounts.MustGo(ctx)
			attachments.MustBeDetached(ctx, s, volume)
			if s.Driver.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
				attachments.MustBePublishedTo(ctx, s, volume)
			}
			claims.MustDelete(ctx, s, claim, volume)
		},
	}
}
