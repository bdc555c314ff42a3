package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of a raw block device only its user knows what is used: used and available may be missing.
func statsBlock(s *harness.Suite) {
	labels := verdict.Case("stats_block", "GEN-05")
	needs := publishing()
	needs.Block = true
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("answers NodeGetVolumeStats of a block device with a usage that makes sense", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := publishedAs(ctx, under, node, under.Block())
		request := &csi.NodeGetVolumeStatsRequest{VolumeId: published.GetVolumeId(), VolumePath: published.GetTargetPath(), StagingTargetPath: published.GetStagingTargetPath()}

		response, err := node.NodeGetVolumeStats(ctx, request)

		gomega.Expect(err).To(harness.BeOK("NodeGetVolumeStats takes any path where the volume was published"))
		for _, usage := range response.GetUsage() {
			gomega.Expect(nonsense(usage)).To(gomega.BeEmpty(), "the usage of the block device: %v", usage)
		}
	})
}
