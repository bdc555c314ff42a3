package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is not published at the path, any more or ever, is as the call wants it.
func unpublishAgain(s *harness.Suite) {
	labels := verdict.Case("unpublish_again", "NS-16")
	needs := publishing()
	s.Case("unpublishes a volume twice, and from a path where it never was", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))

		for range 2 {
			gomega.Expect(unpublish(ctx, node, request)).To(harness.BeOK("NodeUnpublishVolume is idempotent: a volume that is not published at the path is OK (NS-16)"))
		}
		request.TargetPath = node.TargetPath(ctx)
		gomega.Expect(unpublish(ctx, node, request)).To(harness.BeOK("NodeUnpublishVolume is idempotent: a volume that is not published at the path is OK (NS-16)"))
	})
}
