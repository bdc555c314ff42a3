package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is published at the path already, as it is asked for again, is answered OK.
func publishAgain(s *harness.Suite) {
	labels := verdict.Case("publish_again", "NS-13", "NS-14")
	needs := publishing()
	s.Case("publishes a volume at the same path twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))

		gomega.Expect(publish(ctx, node, published)).To(harness.BeOK("a volume that is published at the path already is OK, as NodePublishVolume is idempotent (NS-13)"))
	})
}
