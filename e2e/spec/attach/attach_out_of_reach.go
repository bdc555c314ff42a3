package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A node that is outside of accessible_topology cannot use the volume, so that the call must fail. The specification names
// no code for it: any will do.
func attachOutOfReach(s *harness.Suite) {
	labels := verdict.Case("attach_out_of_reach", "CP-11", "CP-12", "CP-28", "GEN-09", "GEN-15", "GEN-16")
	needs := attaching(2)
	needs.Segments = 2
	s.Case("does not publish a volume to a node that it is not accessible from", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.VolumeFor(under.Nodes[0]))
		_, beyond := under.Reaching(volume.GetAccessibleTopology())
		if len(beyond) == 0 {
			verdict.Skip(verdict.ByEnvironment, "every node endpoint reaches the volume, which is accessible from %s", harness.Segments(volume.GetAccessibleTopology()))
		}

		got := publish(ctx, under, under.ControllerPublishVolumeRequest(volume, beyond[0]))

		gomega.Expect(got).To(harness.BeRefused(fmt.Sprintf(
			"the plugin ensures that the published volume can be used, or fails (CP-12): %s, in %s, does not reach a volume that is accessible from %s",
			beyond[0], beyond[0].Segment, harness.Segments(volume.GetAccessibleTopology()))))
	})
}
