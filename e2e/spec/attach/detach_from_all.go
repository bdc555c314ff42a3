package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without a node_id, a volume that is on several nodes is on none of them afterwards: it can be deleted.
func detachFromAll(s *harness.Suite) {
	labels := verdict.Case("detach_from_all", "CU-11")
	needs := attaching(2)
	s.Case("unpublishes a volume from all of its nodes when none is named", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume, capability := under.NeedVolumeOf(ctx, forTwo(under), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		one, other := twoOf(under, volume)
		onBoth(ctx, under, volume, capability, one, other)
		request := under.ControllerUnpublishVolumeRequest(volume, one)
		request.NodeId = ""

		gomega.Expect(unpublish(ctx, under, request)).To(harness.BeOK("node_id is OPTIONAL: without it the volume is unpublished from all nodes (CU-11)"))

		gomega.Expect(remove(ctx, under, volume)).To(harness.BeOK(
			fmt.Sprintf("the volume was on %s and on %s, was unpublished from all nodes (CU-11), and is in use no more", one, other)))
	})
}
