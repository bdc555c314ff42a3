// SPDX-License-Identifier: Apache-2.0

package attachment

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// nodePluginRestarts restarts the driver on the node of a mounted volume: its pod keeps reading and writing. When the pod
// is gone, the driver removes the volume from the node, though it knows the volume only from its stored state.
func nodePluginRestarts() harness.Case {
	return harness.Case{
		ID:           "node_plugin_restarts",
		Text:         "keeps a mounted volume when the driver restarts on its node, and releases it with its pod",
		Requirements: []string{"NI-04", "NI-05", "NS-06", "NS-16", "K8S-B2", "K8S-I7"},
		Needs:        needs.DriverRestart(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			volume, plugin := claims.VolumeOf(ctx, s, claim), nodeplugin.On(ctx, s, s.NodeOf(pod))
			before, after := s.Namespace+" before", s.Namespace+" after"
			data.Write(ctx, s, pod, before)
			mounts := nodeplugin.WatchMounts(ctx, s, plugin, volume)

			nodeplugin.MustRestart(ctx, s, plugin)

			pods.MustGoOn(ctx, s, pod)
			mounts.MustRemain(ctx)
			data.MustRead(ctx, s, pod, before)
			data.MustWrite(ctx, s, pod, after)
			data.MustRead(ctx, s, pod, after)
			if s.Driver.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME) {
				s.Check(attachments.Attached(ctx, s, volume, pod))
			}

			pods.Remove(ctx, s, pod)
			mounts.MustGo(ctx)
			attachments.MustBeDetached(ctx, s, volume)
			claims.MustDelete(ctx, s, claim, volume)
		},
	}
}
