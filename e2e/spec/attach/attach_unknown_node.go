package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A node that no plugin knows is not there to publish to.
func attachUnknownNode(s *harness.Suite) {
	labels := verdict.Case("attach_unknown_node", "CP-28", "CP-29", "CP-32", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers NOT_FOUND for a node that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.VolumeFor(under.Nodes[0]))
		request := under.ControllerPublishVolumeRequest(volume, under.Nodes[0])
		request.NodeId = harness.Unlike(under.Nodes[0].ID)

		gomega.Expect(publish(ctx, under, request)).To(harness.BeRefused(
			fmt.Sprintf("a node that does not exist is NOT_FOUND (CP-32), and no node has the node_id %q", request.GetNodeId()), codes.NotFound))
	})
}
