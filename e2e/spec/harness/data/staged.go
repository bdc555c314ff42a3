// SPDX-License-Identifier: Apache-2.0

package data

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// IsStaged returns the evidence that the volume is at its staging path: a mount, if nodes share this file system, or
// NodeGetVolumeStats, if it fails for an empty directory. It is empty without evidence.
func IsStaged(ctx context.Context, n *harness.Node, staged *csi.NodeStageVolumeRequest) (evidence string) {
	if mounted, _ := Mounted(ctx, n, staged.GetStagingTargetPath()); mounted {
		return "something is mounted there"
	}
	hasStats := func(at string) bool {
		_, err := n.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: staged.GetVolumeId(), VolumePath: at, StagingTargetPath: at})
		return err == nil
	}
	if n.Claims(csi.NodeServiceCapability_RPC_GET_VOLUME_STATS) && hasStats(staged.GetStagingTargetPath()) && !hasStats(n.StagingPath(ctx)) {
		return "NodeGetVolumeStats answers OK"
	}
	return ""
}
