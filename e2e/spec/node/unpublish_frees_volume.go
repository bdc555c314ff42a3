package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// After NodeUnpublishVolume, a volume for one path can be at another one.
func unpublishFreesVolume(s *harness.Suite) {
	labels := verdict.Case("unpublish_frees_volume", "NS-16")
	needs := publishing()
	s.Case("publishes a volume at another path after it was unpublished from the first", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))
		gomega.Expect(unpublish(ctx, node, request)).To(harness.BeOK("NodeUnpublishVolume undoes what NodePublishVolume did (NS-16)"))

		request.TargetPath = node.TargetPath(ctx)

		gomega.Expect(publish(ctx, node, request)).To(harness.BeOK("NodeUnpublishVolume undoes what NodePublishVolume did (NS-16): the volume is at no path any more"))
	})
}
