package growth_test

import (
	"context"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// claiming makes a driver that claims these ways of expansion.
func claiming(ways ...csi.PluginCapability_VolumeExpansion_Type) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
		response, err := right.GetPluginCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		var kept []*csi.PluginCapability
		for _, capability := range response.GetCapabilities() {
			if capability.GetVolumeExpansion() == nil {
				kept = append(kept, capability)
			}
		}
		for _, way := range ways {
			kept = append(kept, &csi.PluginCapability{Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: way}}})
		}
		return &csi.GetPluginCapabilitiesResponse{Capabilities: kept}, nil
	})
}

// without is a driver whose nodes do not claim the capability, though they have it.
func without(lacking csi.NodeServiceCapability_RPC_Type) spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
		response, err := right.NodeGetCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		var kept []*csi.NodeServiceCapability
		for _, capability := range response.GetCapabilities() {
			if capability.GetRpc().GetType() != lacking {
				kept = append(kept, capability)
			}
		}
		return &csi.NodeGetCapabilitiesResponse{Capabilities: kept}, nil
	})
}

func inZone(topology *csi.Topology, name string) bool {
	for key, value := range topology.GetSegments() {
		if strings.HasSuffix(key, "/zone") && value == name {
			return true
		}
	}
	return false
}

// withoutTopology is a driver that says nothing of topology.
func withoutTopology() spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
		response, err := right.GetPluginCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.PluginCapability) bool {
			return c.GetService().GetType() == csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS
		})
		return response, nil
	}).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if err == nil {
			response.Volume.AccessibleTopology = nil
		}
		return response, err
	})).And(spectest.On(func(ctx context.Context, right spectest.Right, r *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
		response, err := right.NodeGetInfo(ctx, r)
		if err == nil {
			response.AccessibleTopology = nil
		}
		return response, err
	}))
}

// withoutLists is a driver that does not claim to say what volumes there are.
func withoutLists() spectest.Fault {
	return spectest.On(func(ctx context.Context, right spectest.Right, r *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
		response, err := right.ControllerGetCapabilities(ctx, r)
		if err != nil {
			return nil, err
		}
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.ControllerServiceCapability) bool {
			claimed := c.GetRpc().GetType()
			return claimed == csi.ControllerServiceCapability_RPC_GET_VOLUME || claimed == csi.ControllerServiceCapability_RPC_LIST_VOLUMES
		})
		return response, nil
	})
}
