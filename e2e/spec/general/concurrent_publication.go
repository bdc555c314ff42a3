package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Several calls publish one volume to one node: it is published once, and is the answer to each that is not ABORTED.
func concurrentPublication(s *harness.Suite) {
	labels := verdict.Case("concurrent_publication", "CP-04", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Nodes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}}
	s.Case("publishes a volume by several calls at once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := under.ControllerPublishVolumeRequest(madeFor(ctx, under, node), node)
		harness.Graceful(harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.ControllerPublishVolumeResponse, error) {
			return under.Controller.ControllerPublishVolume(ctx, request)
		}))

		_, err := under.Controller.ControllerPublishVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a call that no other is pending with is answered (CP-04)")
	})
}
