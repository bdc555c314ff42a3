// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// A volume does not notice that the driver restarts on its node: its pod goes on reading and
// writing, and when the pod is gone the driver, which has none of its memory of the volume
// left but what it kept, takes it away from the node.
func nodePluginRestarts() harness.Case {
	return harness.Case{
		ID:           "node_plugin_restarts",
		Text:         "keeps a mounted volume when the driver restarts on its node, and lets go of it with its pod",
		Requirements: []string{"NI-04", "NI-05", "NS-06", "NS-16", "K8S-B2", "K8S-I7"},
		Needs:        harness.DriverRestart(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := s.CreateClaim(ctx, s.CreateClass(ctx, workload.WaitForFirstConsumer()))
			pod := s.CreatePod(ctx, workload.PodWith(claim))
			s.MustRun(ctx, pod)
			volume, plugin := s.VolumeOf(ctx, claim), s.NodePluginOn(ctx, s.NodeOf(pod))
			before, after := s.Namespace+" before", s.Namespace+" after"
			s.Write(ctx, pod, before)
			mounts := s.WatchMounts(ctx, plugin, volume)

			s.MustRestart(ctx, plugin)

			s.MustGoOn(ctx, pod)
			mounts.MustRemain(ctx)
			s.MustRead(ctx, pod, before)
			s.MustWrite(ctx, pod, after)
			s.MustRead(ctx, pod, after)
			if s.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				s.Check(s.Attachment(ctx, volume, pod))
			}

			s.Remove(ctx, pod)
			mounts.MustGo(ctx)
			s.MustBeDetached(ctx, volume)
			s.MustDelete(ctx, claim, volume)
		},
	}
}
