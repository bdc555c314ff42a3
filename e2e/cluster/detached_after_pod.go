package cluster

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is published to the node of its pod, and no longer when the pod is gone: the
// VolumeAttachment goes and the driver lists no node.
func detachedAfterPod(t *suite) {
	t.it("detaches the volume when its pod is deleted, in the cluster and in the driver",
		verdict.Case("detached_after_pod", "CU-10", "LV-05", "LV-10", "K8S-I2", "K8S-I7"),
		func(ctx context.Context, s *scenario) {
			s.mustClaim(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRun(ctx, pod)
			volume := s.volumeOf(ctx, claim)
			s.check(s.attachment(ctx, volume, pod))
			s.mustBePublishedTo(ctx, volume, s.nodeOf(pod).id)

			s.remove(ctx, pod)

			s.mustBeDetached(ctx, volume)
			s.mustBePublishedTo(ctx, volume)
		})
}
