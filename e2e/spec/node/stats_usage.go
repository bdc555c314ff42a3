package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The usage of a volume may be empty. What it has is measured in a unit, and is no negative number nor more than all there is;
// it is the same wherever the volume is asked for, staged or published.
func statsUsage(s *harness.Suite) {
	labels := verdict.Case("stats_usage", "GEN-05")
	needs := publishing()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("answers NodeGetVolumeStats with a usage that makes sense, where the volume is staged and where it is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))
		for _, path := range []string{published.GetTargetPath(), published.GetStagingTargetPath()} {
			if path == "" {
				continue
			}
			request := &csi.NodeGetVolumeStatsRequest{VolumeId: published.GetVolumeId(), VolumePath: path, StagingTargetPath: published.GetStagingTargetPath()}
			response, err := node.NodeGetVolumeStats(ctx, request)
			gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("NodeGetVolumeStats takes any path where the volume was staged or published, and so %s", path)))
			for _, usage := range response.GetUsage() {
				gomega.Expect(nonsense(usage)).To(gomega.BeEmpty(), "the usage of the volume at %s: %v", path, usage)
			}
		}
	})
}
