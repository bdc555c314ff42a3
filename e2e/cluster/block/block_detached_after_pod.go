// SPDX-License-Identifier: Apache-2.0

package block

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A node has the device of a raw block volume for as long as a pod uses it: afterwards nothing is left of it there, and
// the volume is attached nowhere.
func blockDetachedAfterPod() harness.Case {
	return harness.Case{
		ID:           "block_detached_after_pod",
		Text:         "takes the device away from the node with its pod, and detaches the volume",
		Requirements: []string{"CU-10", "K8S-M2", "K8S-I7"},
		Needs:        harness.Needs(harness.Block(), harness.NodeService()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claimDevice(ctx, s)
			pod := s.CreatePod(ctx, workload.PodWithDevice(claim))
			s.MustRun(ctx, pod)
			volume := s.VolumeOf(ctx, claim)
			if s.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				s.Check(s.Attachment(ctx, volume, pod))
			}
			mounts := s.WatchMounts(ctx, s.NodePluginOn(ctx, s.NodeOf(pod)), volume)

			s.Remove(ctx, pod)

			mounts.MustGo(ctx)
			s.MustBeDetached(ctx, volume)
			if s.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES) {
				s.MustBePublishedTo(ctx, volume)
			}
			s.MustDelete(ctx, claim, volume)
		},
	}
}
