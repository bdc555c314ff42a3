package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What ControllerUnpublishVolume has done, another node can have, wherever the controller runs.
func detachThenOtherNode(s *harness.Suite) {
	labels := verdict.Case("detach_then_other_node", "CU-01", "CU-03", "CU-04", "CU-10")
	needs := attaching(2)
	s.Case("publishes a volume to another node after it was unpublished from the first", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, forTwo(under))
		one, other := twoOf(under, volume)
		under.Attach(ctx, volume, one)

		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, one))).To(harness.BeOK(
			fmt.Sprintf("the volume is unpublished from %s, which node_id names (CU-10)", one)))

		gomega.Expect(publish(ctx, under, under.ControllerPublishVolumeRequest(volume, other))).To(harness.BeOK(
			fmt.Sprintf("the volume is not on %s any more (CU-10), and ready to be consumed by %s (CU-03)", one, other)))
	})
}
