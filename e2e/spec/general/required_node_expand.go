package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume grows where it is.
func requiredNodeExpand(s *harness.Suite) {
	labels := verdict.Case("required_node_expand", "NE-10", "NE-11", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME)
	s.Case("asks for the required fields of NodeExpandVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, madeFor(ctx, under, node))

		asksFor(ctx, under, node.NodeExpandVolume, &csi.NodeExpandVolumeRequest{
			VolumeId:          published.GetVolumeId(),
			VolumePath:        published.GetTargetPath(),
			StagingTargetPath: published.GetStagingTargetPath(),
			CapacityRange:     &csi.CapacityRange{RequiredBytes: under.Size()},
			VolumeCapability:  published.GetVolumeCapability(),
			Secrets:           under.Profile().Secrets.NodeExpandVolume,
		}, "volume_id", "volume_path")
	})
}
