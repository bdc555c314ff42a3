package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is unpublished from the node that is named: from one that it is not attached to it cannot be, which is OK, and it
// stays where it is.
func detachOtherNode(s *harness.Suite) {
	labels := verdict.Case("detach_other_node", "CU-06", "CU-10", "GEN-15", "GEN-16")
	needs := attaching(2)
	s.Case("leaves a volume on its node when it is unpublished from another one", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, forTwo(under))
		one, other := twoOf(under, volume)
		under.Attach(ctx, volume, one)

		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, other))).To(harness.BeOK(
			fmt.Sprintf("the volume is not attached to %s, which is OK (CU-06)", other)))

		gomega.Expect(publish(ctx, under, under.ControllerPublishVolumeRequest(volume, other))).To(harness.BeRefused(
			fmt.Sprintf("the volume was unpublished from %s (CU-10), so that it is on %s still, and cannot be on both (CP-34)", other, one), codes.FailedPrecondition))
	})
}
