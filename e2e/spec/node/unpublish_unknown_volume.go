package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted is not there to be unpublished: it is NOT_FOUND, and a CO that has lost its state may ask for
// what it did before the volume was deleted, which is OK.
func unpublishUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("unpublish_unknown_volume", "NS-16", "GEN-09", "GEN-15", "GEN-16")
	needs := publishing()
	s.Case("answers OK or NOT_FOUND to NodeUnpublishVolume for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		deleted := under.DeletedVolume(ctx)

		got := unpublish(ctx, node, &csi.NodePublishVolumeRequest{VolumeId: deleted.GetVolumeId(), TargetPath: node.TargetPath(ctx)})

		gomega.Expect(got).To(harness.BeOKOrRefused(
			"a volume that does not exist is at no path any more, which is OK (NS-16), or is NOT_FOUND (GEN-09)", codes.NotFound))
	})
}
