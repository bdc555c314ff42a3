// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// WithoutPlugin is a driver that does not claim the plugin capability, at no endpoint.
func WithoutPlugin(lacking csi.PluginCapability_Service_Type) Fault {
	return On(func(ctx context.Context, right Right, r *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
		response, err := right.GetPluginCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.PluginCapability) bool {
			return c.GetService().GetType() == lacking
		})
		return response, nil
	})
}

// WithoutNode is a driver whose nodes do not claim the capability, though they have it.
func WithoutNode(lacking csi.NodeServiceCapability_RPC_Type) Fault {
	return On(func(ctx context.Context, right Right, r *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
		response, err := right.NodeGetCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.NodeServiceCapability) bool {
			return c.GetRpc().GetType() == lacking
		})
		return response, nil
	})
}

// WithoutNodeInfo is a driver that does not have NodeGetInfo.
func WithoutNodeInfo() Fault {
	return On(func(context.Context, Right, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
		return nil, status.Error(codes.Unimplemented, "method NodeGetInfo not implemented")
	})
}
