package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// With a node_id, a volume that is on two nodes stays on the other one.
func detachOneOfTwo(s *harness.Suite) {
	labels := verdict.Case("detach_one_of_two", "CU-10")
	needs := attaching(2)
	s.Case("unpublishes a volume from one of its two nodes, and leaves it on the other", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume, capability := under.NeedVolumeOf(ctx, forTwo(under), csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		one, other := twoOf(under, volume)
		onBoth(ctx, under, volume, capability, one, other)
		there := on(ctx, under, volume, other)

		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, one))).To(harness.BeOK(
			fmt.Sprintf("the volume is unpublished from %s, which node_id names (CU-10)", one)))

		there.unchanged(ctx, fmt.Sprintf("the volume was unpublished from %s alone (CU-10)", one))
	})
}
