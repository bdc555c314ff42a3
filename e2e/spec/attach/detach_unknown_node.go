package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A node that does not exist has no volume if the plugin may assume that, which should be OK; else it is NOT_FOUND. The
// volume stays on the node that it is on.
func detachUnknownNode(s *harness.Suite) {
	labels := verdict.Case("detach_unknown_node", "CU-07", "CU-10", "CU-14", "CU-15", "CU-18", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers OK or NOT_FOUND for a node that does not exist, and leaves the volume where it is", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.VolumeFor(under.Nodes[0]))
		under.Attach(ctx, volume, under.Nodes[0])
		there := on(ctx, under, volume, under.Nodes[0])
		request := under.ControllerUnpublishVolumeRequest(volume, under.Nodes[0])
		request.NodeId = harness.Unlike(under.Nodes[0].ID)

		gomega.Expect(unpublish(ctx, under, request)).To(harness.BeOKOrRefused(
			"a node that is not found is OK if the volume can be regarded as unpublished from it (CU-07), and else NOT_FOUND (CU-18)", codes.NotFound))

		there.unchanged(ctx, fmt.Sprintf("the volume was unpublished from %s alone (CU-10)", request.GetNodeId()))
	})
}
