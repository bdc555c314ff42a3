// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/attachments"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/machines"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
)

// kubeletRestarts restarts the kubelet of a mounted volume's node: the volume stays mounted, its pod keeps reading and
// writing. When the pod is gone, the kubelet unmounts the volume, though it knows the volume only from the state on the
// node.
func kubeletRestarts() harness.Case {
	return harness.Case{
		ID:           "kubelet_restarts",
		Text:         "keeps a mounted volume when the kubelet restarts, and unmounts it with its pod afterwards",
		Requirements: []string{"NS-06", "NS-16", "K8S-Q9"},
		Needs:        needs.All(needs.NodeService(), needs.StopsMachines()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			volume, at := claims.VolumeOf(ctx, s, claim), s.NodeOf(pod)
			before, after := s.Namespace+" before", s.Namespace+" after"
			data.Write(ctx, s, pod, before)
			mounts := nodeplugin.WatchMounts(ctx, s, nodeplugin.On(ctx, s, at), volume)

			machines.RestartKubelet(ctx, s, at)

			pods.MustGoOn(ctx, s, pod)
			s.PlatformCheck(ctx, "K8S-Q9", mounts.Remain(ctx))
			data.MustRead(ctx, s, pod, before)
			data.MustWrite(ctx, s, pod, after)
			data.MustRead(ctx, s, pod, after)
			pods.Remove(ctx, s, pod)
			mounts.MustGo(ctx)
			attachments.MustBeDetached(ctx, s, volume)
			claims.MustDelete(ctx, s, claim, volume)
		},
	}
}
