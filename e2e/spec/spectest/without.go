package spectest

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
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

// WithoutTopology is a driver that says nothing of topology, anywhere. Its nodes should all be in one segment.
func WithoutTopology() Fault {
	return WithoutPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS).
		And(On(func(ctx context.Context, right Right, r *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
			response, err := right.NodeGetInfo(ctx, r)
			if err == nil {
				response.AccessibleTopology = nil
			}
			return response, err
		})).
		And(On(func(ctx context.Context, right Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
			response, err := right.CreateVolume(ctx, r)
			if err == nil {
				response.Volume.AccessibleTopology = nil
			}
			return response, err
		}))
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
