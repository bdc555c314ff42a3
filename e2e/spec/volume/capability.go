package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// mounted is the capability of a file system in the access mode.
func mounted(under *harness.Driver, mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	capability := under.Mount()
	capability.AccessMode.Mode = mode
	return capability
}

// validation asks whether the volume has the capabilities.
func validation(under *harness.Driver, volume *csi.Volume, wanted ...*csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId:           volume.GetVolumeId(),
		VolumeContext:      volume.GetVolumeContext(),
		VolumeCapabilities: wanted,
		Secrets:            under.Profile().Secrets.ValidateVolume,
	}
}

// has expects the driver to confirm that the volume has all of the capabilities. why is the clause in words, with its id.
func has(ctx context.Context, under *harness.Driver, volume *csi.Volume, why string, wanted ...*csi.VolumeCapability) {
	ginkgo.GinkgoHelper()
	answer := harness.Need(under.Controller.ValidateVolumeCapabilities(ctx, validation(under, volume, wanted...)))
	gomega.Expect(answer.GetConfirmed().GetVolumeCapabilities()).NotTo(gomega.BeEmpty(),
		"%s; ValidateVolumeCapabilities of %v does not confirm them: %q", why, wanted, answer.GetMessage())
}
