package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// supported are capabilities that the driver's volumes have, as the profile says.
func supported(under *harness.Driver) []*csi.VolumeCapability {
	if under.Profile().Block {
		return []*csi.VolumeCapability{under.Mount(), under.Block()}
	}
	return []*csi.VolumeCapability{under.Mount()}
}

// refusedCapabilities are those with which CreateVolume makes no volume, of some that few drivers have.
func refusedCapabilities(ctx context.Context, under *harness.Driver) []*csi.VolumeCapability {
	sharedMount, sharedBlock, foreign := under.Mount(), under.Block(), under.Mount()
	sharedMount.AccessMode.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	sharedBlock.AccessMode.Mode = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	foreign.GetMount().FsType = "csi-topo-no-such-file-system"

	var refused []*csi.VolumeCapability
	for _, tried := range []*csi.VolumeCapability{sharedMount, sharedBlock, foreign} {
		request := under.CreateVolumeRequest(in(under.Volume(1), under.Z2))
		request.VolumeCapabilities = []*csi.VolumeCapability{tried}
		if _, err := under.Controller.CreateVolume(ctx, request); status.Code(err) == codes.InvalidArgument {
			refused = append(refused, tried)
		}
	}
	return refused
}
