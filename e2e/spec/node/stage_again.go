package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is staged at the path already, as it is asked for again, is answered OK.
func stageAgain(s *harness.Suite) {
	labels := verdict.Case("stage_again", "NS-04")
	needs := staging()
	s.Case("stages a volume at the same path twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := node.Stage(ctx, volume)

		gomega.Expect(stage(ctx, node, request)).To(harness.BeOK("a volume that is staged at the path already is OK, as NodeStageVolume is idempotent (NS-04)"))
	})
}
