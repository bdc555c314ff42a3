package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of the name is there, and a raw block device is asked for now. It may be that such a volume can be both.
func nameTakenCapabilities(s *harness.Suite) {
	labels := verdict.Case("name_taken_capabilities", "CV-02", "CV-12", "CVE-02", "CVE-06", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Block: true}
	s.Case("answers with the volume of the name only if it has the capabilities", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		made(ctx, under, request)

		request.VolumeCapabilities = []*csi.VolumeCapability{under.Block()}
		response, err := under.Controller.CreateVolume(ctx, request)
		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a volume of the name that is incompatible with volume_capabilities is ALREADY_EXISTS (CVE-06)", codes.AlreadyExists))
			return
		}
		has(ctx, under, response.GetVolume(), "a volume of the name that is the answer is compatible with volume_capabilities (CVE-06)", under.Block())
	})
}
