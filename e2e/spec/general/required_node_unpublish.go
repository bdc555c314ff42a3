package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where it was published has to be said again.
func requiredNodeUnpublish(s *harness.Suite) {
	labels := verdict.Case("required_node_unpublish", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claimingAtNode()
	s.Case("asks for the required fields of NodeUnpublishVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, madeFor(ctx, under, node))

		asksFor(ctx, under, node.NodeUnpublishVolume, &csi.NodeUnpublishVolumeRequest{
			VolumeId: published.GetVolumeId(), TargetPath: published.GetTargetPath(),
		}, required("volume_id"), required("target_path"))
	})
}
