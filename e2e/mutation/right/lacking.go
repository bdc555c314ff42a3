// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// lacking is a driver whose controller does not have the capabilities, and no RPC that belongs to them alone.
func lacking(capabilities ...csi.ControllerServiceCapability_RPC_Type) mutation.Fault {
	has := func(method string) bool {
		return !slices.ContainsFunc(capabilities, func(c csi.ControllerServiceCapability_RPC_Type) bool {
			return slices.Contains(rpcsOf[c], path.Base(method))
		})
	}
	fault := mutation.OnAll(func(ctx context.Context, _ mutation.Right, call mutation.Call) (proto.Message, error) {
		if strings.HasPrefix(call.Method, "/csi.v1.Controller/") && !has(call.Method) {
			return nil, status.Errorf(codes.Unimplemented, "method %s not implemented", path.Base(call.Method))
		}
		return call.Perform(ctx)
	})
	return fault.And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		source := r.GetVolumeContentSource()
		if source.GetSnapshot() != nil && slices.Contains(capabilities, csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) ||
			source.GetVolume() != nil && slices.Contains(capabilities, csi.ControllerServiceCapability_RPC_CLONE_VOLUME) {
			return nil, status.Errorf(codes.InvalidArgument, "volume_content_source is not supported: volumes begin empty")
		}
		return right.CreateVolume(ctx, r)
	})).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
		response, err := right.ControllerGetCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.ControllerServiceCapability) bool {
			return slices.Contains(capabilities, c.GetRpc().GetType())
		})
		return response, nil
	}))
}

// rpcsOf are the RPCs of the controller that belong to a capability.
var rpcsOf = map[csi.ControllerServiceCapability_RPC_Type][]string{
	csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT: {"CreateSnapshot", "DeleteSnapshot"},
	csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS:         {"ListSnapshots"},
	csi.ControllerServiceCapability_RPC_GET_SNAPSHOT:           {"GetSnapshot"},
	csi.ControllerServiceCapability_RPC_LIST_VOLUMES:           {"ListVolumes"},
	csi.ControllerServiceCapability_RPC_GET_VOLUME:             {"ControllerGetVolume"},
	csi.ControllerServiceCapability_RPC_EXPAND_VOLUME:          {"ControllerExpandVolume"},
	csi.ControllerServiceCapability_RPC_MODIFY_VOLUME:          {"ControllerModifyVolume"},
	csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH:      {"ControllerGetVolumeHealth"},
	csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH:     {"ControllerListVolumeHealth"},
	csi.ControllerServiceCapability_RPC_GET_CAPACITY:           {"GetCapacity"},
}
