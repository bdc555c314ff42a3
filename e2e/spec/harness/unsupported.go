package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Unsupported is a capability that the volume, made as a file system for one node, does not have, as
// ValidateVolumeCapabilities says. The case is skipped when it has all that can be tried.
func (d *Driver) Unsupported(ctx context.Context, volume *csi.Volume) *csi.VolumeCapability {
	for _, tried := range d.unlikely() {
		response, err := d.Controller.ValidateVolumeCapabilities(ctx, &csi.ValidateVolumeCapabilitiesRequest{
			VolumeId:           volume.GetVolumeId(),
			VolumeContext:      volume.GetVolumeContext(),
			VolumeCapabilities: []*csi.VolumeCapability{tried},
			Secrets:            d.Profile().Secrets.ValidateVolume,
		})
		if status.Code(err) == codes.InvalidArgument {
			return tried
		}
		if Need(response, err).GetConfirmed() == nil {
			return tried
		}
	}
	verdict.Skip(verdict.ByCapability, "ValidateVolumeCapabilities confirms every capability that the case could try")
	return nil
}

// unlikely are capabilities that few volumes have.
func (d *Driver) unlikely() []*csi.VolumeCapability {
	sharedMount, sharedBlock, foreign := d.Mount(), d.Block(), d.Mount()
	sharedMount.AccessMode.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	sharedBlock.AccessMode.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	foreign.GetMount().FsType = "no-such-file-system"
	return []*csi.VolumeCapability{sharedMount, sharedBlock, foreign}
}
