package growth

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where the controller grows volumes, the node cannot make one larger than the controller has. The specification has
// OUT_OF_RANGE for a size that cannot be; RESOURCE_EXHAUSTED is taken as well.
func nodeGrowBeyondVolume(s *harness.Suite) {
	labels := verdict.Case("node_grow_beyond_volume", "NE-28", "CR-03", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
	s.Case("refuses to grow a volume on the node to more than it has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		published := node.Publish(ctx, volume)

		_, err := node.NodeExpandVolume(ctx, node.NodeExpandVolumeRequest(published, larger(under, volume)))

		const why = "the volume does not have the bytes that are required, and the controller was not asked to grow it: OUT_OF_RANGE (NE-28)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.OutOfRange, codes.ResourceExhausted))
	})
}
