// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume is published to the node of its pod, and no longer when the pod is gone: the
// VolumeAttachment goes and the driver lists no node.
func detachedAfterPod() harness.Case {
	return harness.Case{
		ID:           "detached_after_pod",
		Text:         "detaches the volume when its pod is deleted, in the cluster and in the driver",
		Requirements: []string{"CU-10", "LV-05", "LV-10", "K8S-I2", "K8S-I7"},
		Needs:        harness.Controller(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRun(ctx, pod)
			volume := s.VolumeOf(ctx, claim)
			s.Check(s.Attachment(ctx, volume, pod))
			s.MustBePublishedTo(ctx, volume, s.NodeOf(pod).ID)

			s.Remove(ctx, pod)

			s.MustBeDetached(ctx, volume)
			s.MustBePublishedTo(ctx, volume)
		},
	}
}
