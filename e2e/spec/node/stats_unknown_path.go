package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is not at the path is not found there, though it is elsewhere, and though there is a directory.
func statsUnknownPath(s *harness.Suite) {
	labels := verdict.Case("stats_unknown_path", "GEN-09", "GEN-15", "GEN-16")
	needs := publishing()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("answers NOT_FOUND to NodeGetVolumeStats for a path where the volume is not", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))
		for what, path := range map[string]string{"nothing": node.TargetPath(ctx), "an empty directory": node.StagingPath(ctx)} {
			request := &csi.NodeGetVolumeStatsRequest{VolumeId: published.GetVolumeId(), VolumePath: path, StagingTargetPath: published.GetStagingTargetPath()}

			_, err := node.NodeGetVolumeStats(ctx, request)

			gomega.Expect(err).To(harness.BeRefused(fmt.Sprintf(
				"volume_path is that of %s, and a volume that does not exist there is NOT_FOUND, the code that NodeGetVolumeStats has for it (GEN-09)", what), codes.NotFound))
		}
	})
}
