package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The larger size is what a workload gets, by NodePublishVolume at the latest: the file system of a small source must
// be grown.
func restoreLargerOnNode(s *harness.Suite) {
	labels := verdict.Case("restore_larger_on_node", "CV-05", "CVE-11", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Nodes = 1
	needs.Node = []csi.NodeServiceCapability_RPC_Type{csi.NodeServiceCapability_RPC_GET_VOLUME_STATS}
	s.Case("gives a workload all of a volume that is larger than its source", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		source := harness.FromSnapshot(under.NeedSnapshot(ctx, volume).GetSnapshotId())
		larger := under.VolumeFor(node).OfBytes(under.GrownSize())
		empty := under.NeedVolume(ctx, larger)

		got := under.CreateVolumeFrom(ctx, source, larger)

		judgeLarger(got, larger)
		if got.Code != codes.OK {
			return
		}
		expected, _ := node.TotalBytes(ctx, node.Publish(ctx, empty))
		room, told := node.TotalBytes(ctx, node.Publish(ctx, got.Volume))
		if !told {
			verdict.CouldNotTell("NodeGetVolumeStats, which the case needs, does not say how many bytes a volume has in total")
		}
		const slack = 16 // file systems made of a smaller one keep more for themselves
		gomega.Expect(room).To(gomega.BeNumerically(">=", expected-expected/slack),
			"a workload gets the larger size (CV-05): an empty volume of that size has %d bytes in total", expected)
	})
}
