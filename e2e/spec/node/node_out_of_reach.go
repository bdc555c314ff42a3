package node

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The call runs on the node where the volume will be used, and on a node that the volume is not accessible from it cannot be
// used: the call must fail. The specification names no code for it.
func nodeOutOfReach(s *harness.Suite) {
	labels := verdict.Case("node_out_of_reach", "NS-01", "GEN-09", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 2, Volumes: 1, Nodes: 2}
	s.Case("does not stage a volume on a node that it is not accessible from, or publish it where nodes stage nothing", labels, needs, func(ctx context.Context, under *harness.Driver) {
		near := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(near))
		_, beyond := under.Reaching(volume.GetAccessibleTopology())
		if len(beyond) == 0 {
			verdict.Skip(verdict.ByEnvironment, "every node endpoint reaches the volume, which is accessible from %s", harness.Segments(volume.GetAccessibleTopology()))
		}
		far := beyond[0]
		staged := far.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, near))

		var got error
		if far.Claims(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME) {
			got = stage(ctx, far, staged)
		} else {
			got = publish(ctx, far, far.NodePublishVolumeRequest(ctx, staged))
		}

		gomega.Expect(got).To(harness.BeRefused(fmt.Sprintf(
			"the volume is used on the node where the call runs (NS-01): %s, in %s, does not reach a volume that is accessible from %s",
			far, far.Segment, harness.Segments(volume.GetAccessibleTopology()))))
	})
}
