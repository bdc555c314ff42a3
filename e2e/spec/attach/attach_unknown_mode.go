package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The plugin ensures that a published volume can be used as its capability describes: it cannot for an access mode that it
// does not know, of a later specification perhaps.
func attachUnknownMode(s *harness.Suite) {
	labels := verdict.Case("attach_unknown_mode", "CP-11", "CP-12", "GEN-12", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("does not publish a volume with an access mode that no specification has", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.VolumeFor(under.Nodes[0]))
		request := under.ControllerPublishVolumeRequest(volume, under.Nodes[0])
		const unknown = 1000
		request.VolumeCapability = harness.As(under.Mount(), unknown)

		gomega.Expect(publish(ctx, under, request)).To(harness.BeRefused(
			"the plugin ensures that the published volume can be used as described, or fails (CP-12): nobody knows access mode 1000"))
	})
}
