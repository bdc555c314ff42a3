package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Whether a volume that a node has for writing is compatible with an access mode for reading is the plugin's to say, as it
// says whether it attaches the one in another way than the other: OK, or ALREADY_EXISTS.
func attachAgainOtherMode(s *harness.Suite) {
	labels := verdict.Case("attach_again_other_mode", "CP-05", "CP-29", "CP-33", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers OK or ALREADY_EXISTS for a volume that is published with another access mode", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		reader := harness.As(under.Mount(), csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY)
		volume := under.NeedVolumeWith(ctx, under.VolumeFor(node), under.Mount(), reader)
		request := under.ControllerPublishVolumeRequest(volume, node)
		harness.Need(under.Controller.ControllerPublishVolume(ctx, request))

		request.VolumeCapability = reader

		gomega.Expect(publish(ctx, under, request)).To(harness.BeOKOrRefused(
			"a volume that is published in a compatible way is OK (CP-05), in an incompatible one ALREADY_EXISTS (CP-33)", codes.AlreadyExists))
	})
}
