package growth

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// volume_id and volume_path are required.
func nodeGrowRequiredFields(s *harness.Suite) {
	labels := verdict.Case("node_grow_required_fields", "NE-10", "NE-11", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := nodeGrowth()
	s.Case("refuses a growth on the node without volume_id or volume_path", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume, bytes := grownVolume(ctx, under, node)
		request := node.NodeExpandVolumeRequest(node.Publish(ctx, volume), bytes)

		nameless, nowhere := proto.CloneOf(request), proto.CloneOf(request)
		nameless.VolumeId, nowhere.VolumePath = "", ""

		_, err := node.NodeExpandVolume(ctx, nameless)
		gomega.Expect(err).To(harness.BeRefused("volume_id is required (NE-10): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
		_, err = node.NodeExpandVolume(ctx, nowhere)
		gomega.Expect(err).To(harness.BeRefused("volume_path is required (NE-11): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
