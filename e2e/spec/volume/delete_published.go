package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that a node uses is not deleted, and a call that says so has not touched it.
func deletePublished(s *harness.Suite) {
	labels := verdict.Case("delete_published", "DV-05", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Nodes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}}
	s.Case("refuses to delete a volume that is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := under.CreateVolumeRequest(under.VolumeFor(node))
		volume := made(ctx, under, request)
		under.Attach(ctx, volume, node)

		_, err := under.Controller.DeleteVolume(ctx, deletion(under, volume))
		gomega.Expect(err).To(harness.BeRefused("a volume in use is FAILED_PRECONDITION (DV-05)", codes.FailedPrecondition))
		remains(ctx, under, request, volume, "a volume whose deletion was refused is there (DV-05)")
	})
}
