package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of MULTI_NODE_SINGLE_WRITER has one node that writes, and others that read.
func attachSingleWriter(s *harness.Suite) {
	labels := verdict.Case("attach_single_writer", "CP-07", "CP-11", "CP-14")
	needs := attaching(2)
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)
	s.Case("publishes a volume of MULTI_NODE_SINGLE_WRITER to a node that writes and to one that reads", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume, capability := under.NeedVolumeOf(ctx, forTwo(under), csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER)
		writer, reader := twoOf(under, volume)
		for _, node := range []*harness.Node{writer, reader} {
			request := under.ControllerPublishVolumeRequest(volume, node)
			request.VolumeCapability = capability
			request.Readonly = node == reader

			gomega.Expect(publish(ctx, under, request)).To(harness.BeOK(
				fmt.Sprintf("a volume that was made with MULTI_NODE_SINGLE_WRITER can be published to one node for writing and to others read-only (CP-07, CP-11), and so to %s", node)))
		}
	})
}
