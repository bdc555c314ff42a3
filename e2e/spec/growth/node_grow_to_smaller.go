package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume on the node that is larger than what is asked for should be OK, and does not shrink. To refuse is allowed,
// and a warning.
func nodeGrowToSmaller(s *harness.Suite) {
	labels := verdict.Case("node_grow_to_smaller", "NE-03", "NE-28", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("keeps the size of a volume on the node that is asked to become smaller", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		published := node.Publish(ctx, volume)
		if mustGrowOnNode(ctx, node, node.NodeExpandVolumeRequest(published, bytes)) == nil {
			return
		}
		room, told := node.TotalBytes(ctx, published)

		smaller, err := node.NodeExpandVolume(ctx, node.NodeExpandVolumeRequest(published, under.Size()))

		if err != nil {
			const why = "a volume that is large enough already is OK, or else out of range (NE-03, NE-28)"
			gomega.Expect(err).To(harness.BeRefused(why, codes.OutOfRange, codes.InvalidArgument))
			verdict.Warn("the volume has %d bytes and is asked for at least %d, which should be OK (NE-03)\ngot: %v", bytes, under.Size(), err)
			return
		}
		if got := smaller.GetCapacityBytes(); got != 0 {
			gomega.Expect(got).To(gomega.BeNumerically(">=", bytes), "expansion never shrinks a volume (NE-03)")
		}
		if now, _ := node.TotalBytes(ctx, published); told {
			gomega.Expect(now).To(gomega.BeNumerically(">=", room), "NodeGetVolumeStats has no fewer bytes in total than before: expansion never shrinks a volume (NE-03)")
		}
	})
}
