package volume

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that a node uses is not deleted, whatever runs there loses its data else, and a call that says so has not
// touched it. It is deleted once it is unpublished.
func deletePublished(s *harness.Suite) {
	labels := verdict.Case("delete_published", "DV-05", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Nodes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME}}
	s.Case("refuses to delete a volume that is published, and deletes it once it is not", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		under.Attach(ctx, volume, node)

		_, err := under.Controller.DeleteVolume(ctx, deletion(under, volume))
		gomega.Expect(err).To(harness.BeRefused(fmt.Sprintf("a volume in use is FAILED_PRECONDITION (DV-05), and it is published to %s", node), codes.FailedPrecondition))
		there(ctx, under, volume, "a volume whose deletion was refused is there (DV-05)")

		harness.Need(under.Controller.ControllerUnpublishVolume(ctx, under.ControllerUnpublishVolumeRequest(volume, node)))
		_, err = under.Controller.DeleteVolume(ctx, deletion(under, volume))
		gomega.Expect(err).To(harness.BeOK("the volume is in use no more: nothing that DeleteVolume fails for is left (DV-05)"))
	})
}
