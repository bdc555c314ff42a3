package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Several calls stage one volume at one path: it is staged once, and each that is not ABORTED says so.
func concurrentStaging(s *harness.Suite) {
	labels := verdict.Case("concurrent_staging", "NS-04", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	needs := claimingAtNode(csi.NodeServiceCapability_RPC_STAGE_UNSTAGE_VOLUME)
	s.Case("stages a volume by several calls at once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := madeFor(ctx, under, node)
		request := node.NodeStageVolumeRequest(ctx, volume, under.Attach(ctx, volume, node))
		harness.Graceful(harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.NodeStageVolumeResponse, error) {
			return node.NodeStageVolume(ctx, request)
		}))

		_, err := node.NodeStageVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a call that no other is pending with is answered (NS-04)")
	})
}
