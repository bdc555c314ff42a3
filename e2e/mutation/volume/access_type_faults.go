// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// wrongOfAccessTypes are drivers that are wrong about volumes that they do not make.
func wrongOfAccessTypes() map[string]mutation.Expectation {
	isDevice := func(c *csi.VolumeCapability) bool { return c.GetBlock() != nil }
	return map[string]mutation.Expectation{
		"confirms devices, and creates none": mutation.Wide(
			mutation.RefusingSome(codes.InvalidArgument, "volumes have file systems", func(r *csi.CreateVolumeRequest) bool {
				return slices.ContainsFunc(r.GetVolumeCapabilities(), isDevice)
			}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ValidateVolumeCapabilitiesRequest) (*csi.ValidateVolumeCapabilitiesResponse, error) {
				response, err := right.ValidateVolumeCapabilities(ctx, r)
				if err == nil && slices.ContainsFunc(r.GetVolumeCapabilities(), isDevice) {
					response = &csi.ValidateVolumeCapabilitiesResponse{Confirmed: &csi.ValidateVolumeCapabilitiesResponse_Confirmed{VolumeCapabilities: r.GetVolumeCapabilities()}}
				}
				return response, err
			})),
			mutation.Fails("capabilities_access_type", "VV-01"), mutation.Passes("capabilities_each_mode volume_created")).Seen("civo-csi 37312dc"),
	}
}
