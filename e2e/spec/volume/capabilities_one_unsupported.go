package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// One capability that the driver does not have spoils the call, whatever the others are. The mode is one that no version of
// the specification has.
func capabilitiesOneUnsupported(s *harness.Suite) {
	labels := verdict.Case("capabilities_one_unsupported", "CV-13", "CV-16", "CVE-01", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a volume when one capability of several is unsupported", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const unheardOf = csi.VolumeCapability_AccessMode_Mode(1000)
		request := creation(under)
		request.VolumeCapabilities = []*csi.VolumeCapability{under.Mount(), mounted(under, unheardOf)}

		refuses(ctx, under, request, "any capability that is not supported fails the call (CV-16)", codes.InvalidArgument)
	})
}
