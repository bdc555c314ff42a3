// SPDX-License-Identifier: Apache-2.0

// Package validation asks whether volumes have capabilities, and finds one that they lack.
package validation

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Unsupported is a capability that the volume, made with the driver's Capability, does not have, as
// ValidateVolumeCapabilities says. The case is skipped when it has all that can be tried.
func Unsupported(ctx context.Context, d *harness.Driver, volume *csi.Volume) *csi.VolumeCapability {
	for _, tried := range Unlikely(d) {
		response, err := d.Controller.ValidateVolumeCapabilities(ctx, Request(d, volume, tried))
		if status.Code(err) == codes.InvalidArgument {
			return tried
		}
		if harness.NeedOK(response, err).GetConfirmed() == nil {
			return tried
		}
	}
	suite.Skip(suite.ByCapability, "ValidateVolumeCapabilities confirms every capability that the case could try")
	return nil
}

// Unlikely are capabilities that few volumes have: those for several nodes that write, or for one where the profile says
// that volumes are for several.
func Unlikely(d *harness.Driver) []*csi.VolumeCapability {
	mode := csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	if d.Profile().Plain().Mode() == mode {
		mode = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	}
	foreign := d.Mount()
	foreign.GetMount().FsType = "no-such-file-system"
	return []*csi.VolumeCapability{messages.As(d.Mount(), mode), messages.As(d.Block(), mode), foreign}
}

// Request asks whether the volume has the capabilities.
func Request(d *harness.Driver, volume *csi.Volume, capabilities ...*csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId:           volume.GetVolumeId(),
		VolumeContext:      volume.GetVolumeContext(),
		VolumeCapabilities: capabilities,
		Secrets:            d.Profile().Secrets.ValidateVolume,
	}
}
