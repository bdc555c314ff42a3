package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// NodeUnpublishVolume cannot do without a volume_id and a target_path.
func unpublishMissingFields(s *harness.Suite) {
	labels := verdict.Case("unpublish_missing_fields", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := publishing()
	s.Case("answers INVALID_ARGUMENT to NodeUnpublishVolume without a field that is required", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))

		nameless := unpublish(ctx, node, &csi.NodePublishVolumeRequest{TargetPath: node.TargetPath(ctx)})
		gomega.Expect(nameless).To(harness.BeRefused(missing("volume_id"), codes.InvalidArgument))
		pathless := unpublish(ctx, node, &csi.NodePublishVolumeRequest{VolumeId: volume.GetVolumeId()})
		gomega.Expect(pathless).To(harness.BeRefused(missing("target_path"), codes.InvalidArgument))
	})
}
