// SPDX-License-Identifier: Apache-2.0

// Package validation checks which capabilities volumes have, and finds a capability that they lack.
package validation

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Unsupported returns a capability that the volume, made with the driver's Capability, does not have, and the call that
// shows it: ValidateVolumeCapabilities, or CreateVolume if that call fails. It skips the case if the volume has every
// capability that can be tried.
func Unsupported(ctx context.Context, d *harness.Driver, volume *csi.Volume) (capability *csi.VolumeCapability, why string) {
	for _, tried := range Unlikely(d) {
		response, err := d.Controller.ValidateVolumeCapabilities(ctx, Request(d, volume, tried))
		switch {
		case status.Code(err) == codes.InvalidArgument, err == nil && response.GetConfirmed() == nil:
			return tried, "that ValidateVolumeCapabilities does not confirm"
		case err != nil && isRefused(ctx, d, tried, err):
			return tried, "that CreateVolume refuses"
		}
	}
	suite.Skip(suite.ByCapability, "every capability that the case could try is supported, as ValidateVolumeCapabilities or CreateVolume shows")
	return nil, ""
}

// isRefused reports whether CreateVolume returns INVALID_ARGUMENT for the capability. If that does not show either
// whether volumes have it, the case ends with the failure of ValidateVolumeCapabilities.
func isRefused(ctx context.Context, d *harness.Driver, capability *csi.VolumeCapability, unvalidated error) bool {
	if !d.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME) {
		harness.NeedOK(true, unvalidated)
	}
	request := d.CreateVolumeRequest(d.Volume(1))
	request.VolumeCapabilities = []*csi.VolumeCapability{capability}
	response, err := d.Controller.CreateVolume(ctx, request)
	switch status.Code(err) {
	case codes.OK:
		deletion.Need(ctx, d, response.GetVolume())
	case codes.InvalidArgument:
		return true
	default:
		harness.NeedOK(response, unvalidated)
	}
	return false
}

// Unlikely returns capabilities that few volumes have: for several nodes that write, or for a single node if the
// profile says that volumes are for several.
func Unlikely(d *harness.Driver) []*csi.VolumeCapability {
	mode := csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	if d.Profile().Plain().Mode() == mode {
		mode = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	}
	foreign := d.Mount()
	foreign.GetMount().FsType = "no-such-file-system"
	return []*csi.VolumeCapability{messages.As(d.Mount(), mode), messages.As(d.Block(), mode), foreign}
}

// Request returns the call that asks whether the volume has the capabilities, with the parameters that the case created it
// with: a driver may need them, though the field is OPTIONAL.
func Request(d *harness.Driver, volume *csi.Volume, capabilities ...*csi.VolumeCapability) *csi.ValidateVolumeCapabilitiesRequest {
	return &csi.ValidateVolumeCapabilitiesRequest{
		VolumeId:           volume.GetVolumeId(),
		VolumeContext:      volume.GetVolumeContext(),
		VolumeCapabilities: capabilities,
		Parameters:         d.Made.Parameters(volume.GetVolumeId()),
		Secrets:            d.Profile().Secrets.ValidateVolume,
	}
}
