package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without a node_id, the volume is unpublished from wherever it is.
func detachWithoutNodeID(s *harness.Suite) {
	labels := verdict.Case("detach_without_node_id", "CU-03", "CU-11")
	needs := attaching(2)
	s.Case("unpublishes a volume from its node when none is named, so that another one can have it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, forTwo(under))
		one, other := twoOf(under, volume)
		under.Attach(ctx, volume, one)
		request := under.ControllerUnpublishVolumeRequest(volume, one)
		request.NodeId = ""

		gomega.Expect(unpublish(ctx, under, request)).To(harness.BeOK("node_id is OPTIONAL: without it the volume is unpublished from all nodes (CU-11)"))

		gomega.Expect(publish(ctx, under, under.ControllerPublishVolumeRequest(volume, other))).To(harness.BeOK(
			fmt.Sprintf("the volume is on no node any more (CU-11), and ready to be consumed by %s (CU-03)", other)))
	})
}
