// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"context"
	"fmt"

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

// metricsOfVolume reads the usage of a volume from the metrics of its node's kubelet, which calls the driver. No clause
// says that the total is the volume's own size, nor defines used bytes: a driver whose volumes are directories reports the
// file system that contains all of them. But users who watch such a volume learn too late that it is full.
func metricsOfVolume() harness.Case {
	return harness.Case{
		ID:           "metrics_of_volume",
		Text:         "shows in the kubelet's metrics how large a volume is, and that more of it is used when it is written to",
		Requirements: []string{"NV-01", "NV-02", "NV-03", "K8S-K1"},
		Needs:        needs.NodeService(),
		Run: func(ctx context.Context, s *harness.Scenario) {
			claim := claims.Create(ctx, s, claims.CreateClass(ctx, s, workload.WaitForFirstConsumer()))
			pod := pods.Create(ctx, s, workload.PodWith(claim))
			pods.MustRun(ctx, s, pod)
			nodeplugin.MustClaim(ctx, s, s.NodeOf(pod), csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
			volume := claims.VolumeOf(ctx, s, claim)

			before := metrics.MustShowUsage(ctx, s, pod, claim, volume)
			size := float64(s.Target.VolumeSize.Value())
			const less, more = 0.8, 1.5 // a file system uses some space itself, and drivers create larger volumes
			if shown := before[predicate.CapacityBytes]; shown < less*size || shown > more*size {
				suite.Warn(ctx, "K8S-K1", "the kubelet shows a capacity of %.0f bytes for a claim of %.0f bytes", shown, size)
			}

			data.WriteMuch(ctx, s, pod, s.Target.VolumeSize.Value()/4)
			least := before[predicate.UsedBytes] + size/8
			if err := metrics.UsageWithin(ctx, s, pod, claim, func(now predicate.Usage) error {
				if used := now[predicate.UsedBytes]; used < least {
					return fmt.Errorf("%.0f bytes are used, %.0f were before, and a quarter of the volume was written since", used, before[predicate.UsedBytes])
				}
				return nil
			}); err != nil {
				suite.Warn(ctx, "K8S-K1", "the kubelet does not show that the volume fills: %v", err)
			}
		},
	}
}
