package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is in use on a node cannot be deleted until it is unpublished, whatever runs there loses its data else.
func attachThenDelete(s *harness.Suite) {
	labels := verdict.Case("attach_then_delete", "DV-05", "CU-10", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("does not delete a volume that is published, and deletes it once it is not", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		under.Attach(ctx, volume, node)

		gomega.Expect(remove(ctx, under, volume)).To(harness.BeRefused(
			fmt.Sprintf("the volume is in use on %s: deleting it is FAILED_PRECONDITION (DV-05)", node), codes.FailedPrecondition))

		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, node))).To(harness.BeOK(
			"the volume is unpublished from the node that node_id names (CU-10)"))
		gomega.Expect(remove(ctx, under, volume)).To(harness.BeOK(
			"the volume is in use no more: nothing that DeleteVolume fails for is left (DV-05)"))
	})
}
