package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A raw block volume is at target_path itself, and is removed from there.
func publishBlockTarget(s *harness.Suite) {
	labels := verdict.Case("publish_block_target", "NS-16")
	needs := publishing()
	needs.Block = true
	s.Case("makes a target path with a block device, and removes it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := publishedAs(ctx, under, node, under.Block())
		gomega.Expect(node.Exists(ctx, published.GetTargetPath())).To(gomega.BeTrue(), "the plugin places the block device at target_path, %s", published.GetTargetPath())

		gomega.Expect(unpublish(ctx, node, published)).To(harness.BeOK("NodeUnpublishVolume undoes what NodePublishVolume did (NS-16)"))

		gomega.Expect(node.Exists(ctx, published.GetTargetPath())).To(gomega.BeFalse(), "the plugin deletes what it created at target_path, %s (NS-16)", published.GetTargetPath())
	})
}
