package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// It is the CO that stages a volume before it publishes it. A plugin that publishes what is not staged may do so, and shows
// an empty directory for a volume if it only binds the staging path.
func publishBeforeStage(s *harness.Suite) {
	labels := verdict.Case("publish_before_stage", "NS-15", "GEN-09", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("refuses a volume that is not staged, or stages it itself", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := node.NodePublishVolumeRequest(ctx, node.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, node)))

		got := publish(ctx, node, request)

		if got == nil {
			verdict.Warn("the volume was published from a staging_target_path where it was never staged: unless the plugin stages it itself, a pod writes to the node's own disk (NS-15)")
			return
		}
		gomega.Expect(got).To(harness.BeRefused("a volume that is not staged is refused with a status (NS-15)"))
	})
}
