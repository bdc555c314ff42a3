// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// secured is the profile of a driver that needs a parameter, and secrets for every call with a field for them.
const secured = `driver: hostpath.topo.csi
volumeBytes: 16777216
volumes:
- accessibleFrom: 1
  parameters: {pool: fast}
- accessibleFrom: 2
  parameters: {pool: fast, zones: "2"}
mutableParameters: {allocation: thick}
block: true
capacity: exact
secrets:
  createVolume: &login {user: cluster, password: right}
  deleteVolume: *login
  controllerPublishVolume: *login
  controllerUnpublishVolume: *login
  validateVolumeCapabilities: *login
  controllerExpandVolume: *login
  controllerModifyVolume: *login
  createSnapshot: *login
  deleteSnapshot: *login
  listSnapshots: *login
  groupSnapshot: *login
  nodeStageVolume: *login
  nodePublishVolume: *login
  nodeExpandVolume: *login
`

// authenticated simulates a driver that refuses calls without its parameter and its secrets.
func authenticated() mutation.Fault {
	return mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		request := proto.Clone(call.Request)
		if err := login(request); err != nil {
			return nil, err
		}
		if err := takePool(request); err != nil {
			return nil, err
		}
		return call.With(request).Perform(ctx)
	})
}

// login answers INVALID_ARGUMENT without secrets, PERMISSION_DENIED for another user and UNAUTHENTICATED for a wrong
// password, where the call needs secrets.
func login(request proto.Message) error {
	switch request.(type) {
	case *csi.GetSnapshotRequest, *csi.ControllerGetVolumeHealthRequest, *csi.ControllerListVolumeHealthRequest, *csi.NodeGetVolumeHealthRequest, *csi.NodeGetStorageHealthRequest:
		return nil
	}
	secret, has := request.(interface{ GetSecrets() map[string]string })
	if !has {
		return nil
	}
	switch given := secret.GetSecrets(); {
	case given["user"] == "" || given["password"] == "":
		return status.Error(codes.InvalidArgument, "secrets must have user and password")
	case given["user"] != "cluster":
		return status.Errorf(codes.PermissionDenied, "the user may not do this")
	case given["password"] != "right":
		return status.Error(codes.Unauthenticated, "the password is wrong")
	default:
		return nil
	}
}

// takePool removes the parameter, which the driver behind does not know, and answers INVALID_ARGUMENT if it is missing or
// names a pool that does not exist.
func takePool(request proto.Message) error {
	var parameters map[string]string
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		parameters = r.GetParameters()
	case *csi.GetCapacityRequest:
		parameters = r.GetParameters()
	case *csi.ValidateVolumeCapabilitiesRequest: // where they are optional
		delete(r.GetParameters(), "pool")
		return nil
	default:
		return nil
	}
	if pool := parameters["pool"]; pool != "fast" {
		return status.Errorf(codes.InvalidArgument, "parameter pool must be \"fast\", and is %q", pool)
	}
	delete(parameters, "pool")
	return nil
}
