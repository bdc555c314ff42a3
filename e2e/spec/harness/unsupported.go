// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Unsupported is a capability that the volume, made with the driver's Capability, does not have, as
// ValidateVolumeCapabilities says. The case is skipped when it has all that can be tried.
func (d *Driver) Unsupported(ctx context.Context, volume *csi.Volume) *csi.VolumeCapability {
	for _, tried := range d.Unlikely() {
		response, err := d.Controller.ValidateVolumeCapabilities(ctx, d.ValidateVolumeCapabilitiesRequest(volume, tried))
		if status.Code(err) == codes.InvalidArgument {
			return tried
		}
		if Need(response, err).GetConfirmed() == nil {
			return tried
		}
	}
	suite.Skip(suite.ByCapability, "ValidateVolumeCapabilities confirms every capability that the case could try")
	return nil
}

// Unlikely are capabilities that few volumes have: those for several nodes that write, or for one where the profile says
// that volumes are for several.
func (d *Driver) Unlikely() []*csi.VolumeCapability {
	mode := csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	if d.AccessMode() == mode {
		mode = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	}
	foreign := d.Mount()
	foreign.GetMount().FsType = "no-such-file-system"
	return []*csi.VolumeCapability{As(d.Mount(), mode), As(d.Block(), mode), foreign}
}
