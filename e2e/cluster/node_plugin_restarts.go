package cluster

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume does not notice that the driver restarts on its node: its pod goes on reading and
// writing, and when the pod is gone the driver, which has none of its memory of the volume
// left but what it kept, takes it away from the node.
func nodePluginRestarts(t *suite) {
	t.it("keeps a mounted volume when the driver restarts on its node, and lets go of it with its pod",
		verdict.Case("node_plugin_restarts", "NI-04", "NI-05", "NS-06", "NS-16", "K8S-B2", "K8S-I7"),
		func(ctx context.Context, s *scenario) {
			claim := s.claim(ctx, s.class(ctx, workload.WaitForFirstConsumer()))
			pod := s.pod(ctx, workload.PodWith(claim))
			s.mustRun(ctx, pod)
			volume, plugin := s.volumeOf(ctx, claim), s.nodePluginOn(ctx, s.nodeOf(pod))
			before, after := s.namespace+" before", s.namespace+" after"
			s.write(ctx, pod, before)
			mounts := s.watchMounts(ctx, plugin, volume)

			s.mustRestart(ctx, plugin)

			s.mustGoOn(ctx, pod)
			mounts.mustRemain(ctx)
			s.mustRead(ctx, pod, before)
			s.mustWrite(ctx, pod, after)
			s.mustRead(ctx, pod, after)
			if s.driver.claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				s.check(s.attachment(ctx, volume, pod))
			}

			s.remove(ctx, pod)
			mounts.mustGo(ctx)
			s.mustBeDetached(ctx, volume)
			s.mustDelete(ctx, claim, volume)
		})
}
