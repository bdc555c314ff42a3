// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/cluster/predicate"
	"github.com/csi-topo/csi-topo/e2e/cluster/workload"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Of a raw block volume the kubelet knows how large it is, and nothing else: what of a device is used, its user knows.
func metricsOfBlockVolume() harness.Case {
	return harness.Case{
		ID:           "metrics_of_block_volume",
		Text:         "shows in the kubelet's metrics how large a raw block volume is",
		Requirements: []string{"NV-01", "NV-02", "NV-03", "K8S-K2"},
		Needs:        harness.Needs(harness.NodeService(), harness.Block()),
		Run: func(ctx context.Context, s *harness.Scenario) {
			class := s.CreateClass(ctx, workload.WaitForFirstConsumer())
			claim := s.CreateClaimAs(ctx, workload.ClaimOf(class).Size(s.Target.VolumeSize).Block())
			pod := s.CreatePod(ctx, workload.PodWithDevice(claim))
			s.MustRun(ctx, pod)
			s.MustClaim(ctx, s.NodeOf(pod), csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
			bytes := s.MustBeDevice(ctx, pod, s.Target.VolumeSize)

			shown := s.MustShowUsage(ctx, pod, claim, s.VolumeOf(ctx, claim))
			if capacity := shown[predicate.CapacityBytes]; capacity != float64(bytes) {
				suite.Warn(ctx, "K8S-K2", "the kubelet shows a capacity of %.0f bytes for a device of %d bytes", capacity, bytes)
			}
			for _, name := range []string{predicate.UsedBytes, predicate.Inodes, predicate.InodesUsed} {
				if shown[name] != 0 {
					suite.Warn(ctx, "K8S-K2", "the kubelet shows %s as %.0f for a device, of which the driver cannot know", name, shown[name])
				}
			}
		},
	}
}
