package volume

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// mutableNeeds are those of a case that changes the profile's mutable parameters.
func mutableNeeds() harness.Needs {
	return harness.Needs{Volumes: 1, Mutable: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_MODIFY_VOLUME}}
}

// modification asks for the mutable parameters of the profile.
func modification(under *harness.Driver, volume *csi.Volume) *csi.ControllerModifyVolumeRequest {
	return &csi.ControllerModifyVolumeRequest{
		VolumeId:          volume.GetVolumeId(),
		MutableParameters: maps.Clone(under.Profile().MutableParameters),
		Secrets:           under.Profile().Secrets.ControllerModifyVolume,
	}
}

// isMutated reports whether the driver says that the volume has the profile's mutable parameters, and what it says if not.
func isMutated(ctx context.Context, under *harness.Driver, volume *csi.Volume) (yes bool, message string) {
	question := validation(under, volume, under.Mount())
	question.MutableParameters = under.Profile().MutableParameters
	answer := harness.Need(under.Controller.ValidateVolumeCapabilities(ctx, question))
	return answer.GetConfirmed() != nil, answer.GetMessage()
}

// mutated expects the driver to say that the volume has the profile's mutable parameters. why is the clause in words, with
// its id.
func mutated(ctx context.Context, under *harness.Driver, volume *csi.Volume, why string) {
	ginkgo.GinkgoHelper()
	yes, message := isMutated(ctx, under, volume)
	gomega.Expect(yes).To(gomega.BeTrue(), "%s; ValidateVolumeCapabilities does not confirm %v: %q", why, under.Profile().MutableParameters, message)
}
