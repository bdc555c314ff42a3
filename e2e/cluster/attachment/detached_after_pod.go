// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// detachedAfterPod publishes a volume to the node of its pod, until the pod is gone: then the VolumeAttachment is deleted
// and the driver lists no node.
func detachedAfterPod() harness.Case {
	return harness.Case{
		ID:           "detached_after_pod",
		Text:         "detaches the volume when its pod is deleted, in the cluster and in the driver",
		Requirements: []string{"CU-10", "LV-05", "LV-10", "K8S-I2", "K8S-I7"},
		Needs:        needs.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			volume := claims.VolumeOf(ctx, s, claim)
			s.Check(attachments.Attached(ctx, s, volume, pod))
			suite.About([]string{"LV-10"}, func() { attachments.MustBePublishedTo(ctx, s, volume, s.NodeOf(pod).ID) })

			pods.Remove(ctx, s, pod)

			suite.About([]string{"K8S-I2", "K8S-I7"}, func() { attachments.MustBeDetached(ctx, s, volume) })
			suite.About([]string{"CU-10", "LV-05"}, func() { attachments.MustBePublishedTo(ctx, s, volume) })
		},
	}
}
