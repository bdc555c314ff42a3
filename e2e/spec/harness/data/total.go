// SPDX-License-Identifier: Apache-2.0

package data

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// TotalBytes returns the size in bytes that a workload sees of the published volume. told is false if the node does not
// report it.
func TotalBytes(ctx context.Context, n *harness.Node, published *csi.NodePublishVolumeRequest) (bytes int64, told bool) {
	if !n.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) {
		return 0, false
	}
	stats := harness.NeedOK(n.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{
		VolumeId:          published.GetVolumeId(),
		VolumePath:        published.GetTargetPath(),
		StagingTargetPath: published.GetStagingTargetPath(),
	}))
	for _, usage := range stats.GetUsage() {
		if usage.GetUnit() == csi.VolumeUsage_BYTES && usage.GetTotal() > 0 {
			return usage.GetTotal(), true
		}
	}
	return 0, false
}
