package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was never attached anywhere is as the call wants it, with a node_id and without one.
func detachNeverAttached(s *harness.Suite) {
	labels := verdict.Case("detach_never_attached", "CU-05", "CU-06", "CU-11")
	needs := attaching(1)
	s.Case("unpublishes a volume that was never published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))

		request := under.ControllerUnpublishVolumeRequest(volume, node)
		gomega.Expect(unpublish(ctx, under, request)).To(harness.BeOK("a volume that is not attached to the node is OK (CU-06)"))
		request.NodeId = ""
		gomega.Expect(unpublish(ctx, under, request)).To(harness.BeOK("a volume that is published to no node is unpublished from all (CU-11)"))
	})
}
