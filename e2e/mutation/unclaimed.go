// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"path"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Unclaimed makes a wrong driver: it does not claim the capabilities of the plugin, its controller and its nodes, but
// has them. Lacking makes a driver that does not have them.
func Unclaimed(capabilities ...protoreflect.Enum) Fault {
	return OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		response, err := call.Perform(ctx)
		if err != nil {
			return nil, err
		}
		unclaim(response, func(c protoreflect.Enum) bool { return slices.Contains(capabilities, c) })
		return response, nil
	})
}

// unclaim removes claims of the missing capabilities from an answer.
func unclaim(response proto.Message, lacks func(protoreflect.Enum) bool) {
	switch r := response.(type) {
	case *csi.GetPluginCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.PluginCapability) bool {
			return lacks(c.GetService().GetType()) || lacks(c.GetVolumeExpansion().GetType())
		})
	case *csi.ControllerGetCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.ControllerServiceCapability) bool { return lacks(c.GetRpc().GetType()) })
	case *csi.GroupControllerGetCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.GroupControllerServiceCapability) bool { return lacks(c.GetRpc().GetType()) })
	case *csi.NodeGetCapabilitiesResponse:
		r.Capabilities = slices.DeleteFunc(r.Capabilities, func(c *csi.NodeServiceCapability) bool { return lacks(c.GetRpc().GetType()) })
	}
}

// Unimplemented makes a driver that does not have the RPCs, such as NodeGetInfo, whatever it claims.
func Unimplemented(rpcs ...string) Fault {
	return OnAll(func(ctx context.Context, _ Right, call Call) (proto.Message, error) {
		if slices.Contains(rpcs, path.Base(call.Method)) {
			return nil, unimplemented(call)
		}
		return call.Perform(ctx)
	})
}

func unimplemented(call Call) error {
	return status.Errorf(codes.Unimplemented, "method %s not implemented", path.Base(call.Method))
}
