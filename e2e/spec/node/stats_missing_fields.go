package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeGetVolumeStats cannot do without a volume_id and a volume_path.
func statsMissingFields(s *harness.Suite) {
	labels := verdict.Case("stats_missing_fields", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := publishing()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_STATS)
	s.Case("answers INVALID_ARGUMENT to NodeGetVolumeStats without a field that is required", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))

		_, err := node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumePath: published.GetTargetPath()})
		gomega.Expect(err).To(harness.BeRefused(missing("volume_id"), codes.InvalidArgument))
		_, err = node.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: published.GetVolumeId()})
		gomega.Expect(err).To(harness.BeRefused(missing("volume_path"), codes.InvalidArgument))
	})
}
