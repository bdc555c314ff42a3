// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/claims"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/data"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/metrics"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/needs"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/nodeplugin"
	"github.com/csi-topo/csi-topo/e2e/cluster/harness/pods"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// metricsOfBlockVolume reads the size of a raw block volume from the kubelet's metrics. The kubelet knows nothing else
// about it: only its user knows the used part of a device.
func metricsOfBlockVolume() harness.Case {
	return harness.Case{
		ID:           "metrics_of_block_volume",
		Text:         "shows in the kubelet's metrics how large a raw block volume is",
		Requirements: []string{"NV-01", "NV-02", "NV-03", "K8S-K2"},
		Needs:        needs.All(needs.NodeService(), needs.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := claims.CreateClass(ctx, s, workload.WaitForFirstConsumer())
			claim := claims.CreateAs(ctx, s, workload.ClaimOf(class).Size(s.Target.VolumeSize).Block())
			pod := pods.Create(ctx, s, workload.PodWithDevice(claim))
			pods.MustRun(ctx, s, pod)
			nodeplugin.MustClaim(ctx, s, s.NodeOf(pod), csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
			bytes := data.MustBeDevice(ctx, s, pod, s.Target.VolumeSize)

			shown := metrics.MustShowUsage(ctx, s, pod, claim, claims.VolumeOf(ctx, s, claim))
			if capacity := shown[predicate.CapacityBytes]; capacity != float64(bytes) {
				suite.Warn(ctx, "K8S-K2", "the kubelet shows a capacity of %.0f bytes for a device of %d bytes", capacity, bytes)
			}
			for _, name := range []string{predicate.UsedBytes, predicate.Inodes, predicate.InodesUsed} {
				if shown[name] != 0 {
					suite.Warn(ctx, "K8S-K2", "the kubelet shows %s as %.0f for a device, whose usage the driver cannot know", name, shown[name])
				}
			}
		},
	}
}
