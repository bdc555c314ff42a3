// SPDX-License-Identifier: Apache-2.0

package publication

import (
	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// ExpectUsable fails the case if a call refuses a capability that the volume was created with. Other codes are not
// about the capability.
func ExpectUsable(capability *csi.VolumeCapability) func(rpc string, err error) {
	return func(rpc string, err error) {
		switch status.Code(err) {
		case codes.InvalidArgument, codes.FailedPrecondition, codes.Unimplemented, codes.AlreadyExists:
			suite.Fail("CV-14", "the volume was created for %s among its volume_capabilities, any of which can be used, and %s with it is refused\ngot: %s",
				capability.GetAccessMode().GetMode(), rpc, describe.Status(err))
		default:
		}
	}
}

// judgeCreated judges calls that a case depends on: INVALID_ARGUMENT is wrong if the case created the volume with the
// capability, because the rest of the call is right: it is the same for the usual capability. NeedOK handles everything
// else.
func judgeCreated(d *harness.Driver, volume *csi.Volume, capability *csi.VolumeCapability) func(rpc string, err error) {
	if proto.Equal(capability, d.Capability()) || !d.Made.IsCreatedWith(volume.GetVolumeId(), capability) {
		return func(string, error) {}
	}
	return func(rpc string, err error) {
		if status.Code(err) == codes.InvalidArgument {
			ExpectUsable(capability)(rpc, err)
		}
	}
}
