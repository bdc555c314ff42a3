package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is not attached to the node any more is as the call wants it.
func detachAgain(s *harness.Suite) {
	labels := verdict.Case("detach_again", "CU-05", "CU-06")
	needs := attaching(1)
	s.Case("unpublishes a volume from a node twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		under.Attach(ctx, volume, node)
		request := under.ControllerUnpublishVolumeRequest(volume, node)

		for range 2 {
			gomega.Expect(unpublish(ctx, under, request)).To(harness.BeOK(
				"ControllerUnpublishVolume is idempotent (CU-05): a volume that is not attached to the node is OK (CU-06)"))
		}
	})
}
