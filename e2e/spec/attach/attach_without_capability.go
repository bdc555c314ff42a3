package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerPublishVolume cannot do without a volume_capability, nor without its access type and its access mode.
func attachWithoutCapability(s *harness.Suite) {
	labels := verdict.Case("attach_without_capability", "CP-13", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers INVALID_ARGUMENT without a volume_capability, or a part of it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.VolumeFor(under.Nodes[0]))
		request := under.ControllerPublishVolumeRequest(volume, under.Nodes[0])
		for _, incomplete := range []*csi.VolumeCapability{
			nil,
			{AccessMode: under.Mount().GetAccessMode()},
			{AccessType: under.Mount().GetAccessType()},
		} {
			request.VolumeCapability = incomplete

			gomega.Expect(publish(ctx, under, request)).To(harness.BeRefused(fmt.Sprintf(
				"volume_capability is REQUIRED (CP-13), and its access_type and access_mode are: {%v} is INVALID_ARGUMENT (GEN-11)", incomplete), codes.InvalidArgument))
		}
	})
}
