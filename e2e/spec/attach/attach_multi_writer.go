package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO may publish a volume to several nodes if its capability is a MULTI_NODE one: it can then be used on all of them.
func attachMultiWriter(s *harness.Suite) {
	labels := verdict.Case("attach_multi_writer", "CP-07", "CP-11")
	needs := attaching(2)
	s.Case("publishes a volume of MULTI_NODE_MULTI_WRITER to two nodes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume, capability := under.NeedVolumeOf(ctx, forTwo(under), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		one, other := twoOf(under, volume)
		for _, node := range []*harness.Node{one, other} {
			request := under.ControllerPublishVolumeRequest(volume, node)
			request.VolumeCapability = capability

			gomega.Expect(publish(ctx, under, request)).To(harness.BeOK(
				fmt.Sprintf("a volume that was made with MULTI_NODE_MULTI_WRITER can be published to several nodes (CP-07, CP-11), and so to %s", node)))
		}
	})
}
