package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is unpublished from the node that is named: from one that it is not attached to it cannot be, which is OK, and it
// stays where it is.
func detachOtherNode(s *harness.Suite) {
	labels := verdict.Case("detach_other_node", "CU-06", "CU-10")
	needs := attaching(2)
	s.Case("leaves a volume on its node when it is unpublished from another one", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, forTwo(under))
		one, other := twoOf(under, volume)
		under.Attach(ctx, volume, one)
		there := on(ctx, under, volume, one)

		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, other))).To(harness.BeOK(
			fmt.Sprintf("the volume is not attached to %s, which is OK (CU-06)", other)))

		there.unchanged(ctx, fmt.Sprintf("the volume was unpublished from %s alone (CU-10)", other))
	})
}
