package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The plugin makes target_path, of which the CO makes only the parent, and removes what it made.
func publishMakesTarget(s *harness.Suite) {
	labels := verdict.Case("publish_makes_target", "NS-16")
	needs := publishing()
	s.Case("makes a target path with a file system, and removes it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))
		gomega.Expect(node.Exists(ctx, published.GetTargetPath())).To(gomega.BeTrue(), "the plugin creates target_path, %s", published.GetTargetPath())

		gomega.Expect(unpublish(ctx, node, published)).To(harness.BeOK("NodeUnpublishVolume undoes what NodePublishVolume did (NS-16)"))

		gomega.Expect(node.Exists(ctx, published.GetTargetPath())).To(gomega.BeFalse(), "the plugin deletes what it created at target_path, %s (NS-16)", published.GetTargetPath())
	})
}
