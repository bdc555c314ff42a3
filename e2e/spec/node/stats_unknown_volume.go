package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted is nowhere.
func statsUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("stats_unknown_volume", "GEN-09", "GEN-15", "GEN-16")
	needs := publishing()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("answers NOT_FOUND to NodeGetVolumeStats for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		deleted := under.DeletedVolume(ctx)

		_, err := node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: deleted.GetVolumeId(), VolumePath: node.TargetPath(ctx)})

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND, the code that NodeGetVolumeStats has for it (GEN-09)", codes.NotFound))
	})
}
