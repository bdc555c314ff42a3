package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is published to the node already, as it is asked for again, is answered OK, with the same publish_context:
// its contents are not mutable. It may be empty.
func attachSameNodeAgain(s *harness.Suite) {
	labels := verdict.Case("attach_same_node_again", "CP-04", "CP-05", "CP-22", "CP-26")
	needs := attaching(1)
	s.Case("publishes a volume to the same node twice, with the same publish_context", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := under.ControllerPublishVolumeRequest(volume, node)
		first := harness.Need(under.Controller.ControllerPublishVolume(ctx, request)).GetPublishContext()

		again, err := under.Controller.ControllerPublishVolume(ctx, request)

		gomega.Expect(err).To(harness.BeOK("a volume that is published to the node already is OK (CP-05), as ControllerPublishVolume is idempotent (CP-04)"))
		gomega.Expect(again.GetPublishContext()).To(gomega.Equal(first), "the contents of publish_context are not mutable (CP-22)")
	})
}
