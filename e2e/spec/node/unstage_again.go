package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is not staged at the path, any more or ever, is as the call wants it.
func unstageAgain(s *harness.Suite) {
	labels := verdict.Case("unstage_again", "NS-06", "NS-09")
	needs := staging()
	s.Case("unstages a volume twice, and from a path where it never was", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := node.Stage(ctx, volume)

		for range 2 {
			gomega.Expect(unstage(ctx, node, request)).To(harness.BeOK("NodeUnstageVolume is idempotent: a volume that is not staged at the path is OK (NS-09)"))
		}
		request.StagingTargetPath = node.StagingPath(ctx)
		gomega.Expect(unstage(ctx, node, request)).To(harness.BeOK("a volume that is not staged at the path is OK (NS-09), and it never was"))
	})
}
