package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
)

// claims is what a driver says of itself and of its nodes, in the order of the endpoints. It is asked once in a run: that
// GetPluginCapabilities and NodeGetInfo answer the same later is for the cases on them to judge. A capability that this
// version of the specification does not know is no concern of any case.
type claims struct {
	plugin     map[csi.PluginCapability_Service_Type]bool
	expansion  map[csi.PluginCapability_VolumeExpansion_Type]bool
	controller map[csi.ControllerServiceCapability_RPC_Type]bool
	nodes      []nodeClaims
}

type nodeClaims struct {
	id           string
	maxVolumes   int64
	segment      model.Segment
	capabilities map[csi.NodeServiceCapability_RPC_Type]bool
}

// readClaims asks the driver for its capabilities and its nodes.
func (d *Driver) readClaims(ctx context.Context) *claims {
	c := &claims{
		plugin:     map[csi.PluginCapability_Service_Type]bool{},
		expansion:  map[csi.PluginCapability_VolumeExpansion_Type]bool{},
		controller: map[csi.ControllerServiceCapability_RPC_Type]bool{},
	}
	plugin := ask(ctx, "GetPluginCapabilities", d.Identity.GetPluginCapabilities, &csi.GetPluginCapabilitiesRequest{})
	for _, capability := range plugin.GetCapabilities() {
		if service := capability.GetService(); service != nil {
			c.plugin[service.GetType()] = true
		}
		if expansion := capability.GetVolumeExpansion(); expansion != nil {
			c.expansion[expansion.GetType()] = true
		}
	}
	if c.plugin[csi.PluginCapability_Service_CONTROLLER_SERVICE] {
		controller := ask(ctx, "ControllerGetCapabilities", d.Controller.ControllerGetCapabilities, &csi.ControllerGetCapabilitiesRequest{})
		for _, capability := range controller.GetCapabilities() {
			c.controller[capability.GetRpc().GetType()] = true
		}
	}
	for _, node := range d.Nodes {
		c.nodes = append(c.nodes, node.readClaims(ctx))
	}
	return c
}

func (n *Node) readClaims(ctx context.Context) nodeClaims {
	info := ask(ctx, "NodeGetInfo", n.NodeGetInfo, &csi.NodeGetInfoRequest{})
	c := nodeClaims{
		id:           info.GetNodeId(),
		maxVolumes:   info.GetMaxVolumesPerNode(),
		segment:      info.GetAccessibleTopology().GetSegments(),
		capabilities: map[csi.NodeServiceCapability_RPC_Type]bool{},
	}
	capabilities := ask(ctx, "NodeGetCapabilities", n.NodeGetCapabilities, &csi.NodeGetCapabilitiesRequest{})
	for _, capability := range capabilities.GetCapabilities() {
		c.capabilities[capability.GetRpc().GetType()] = true
	}
	return c
}

// Claims reports whether ControllerGetCapabilities lists the capability.
func (d *Driver) Claims(capability csi.ControllerServiceCapability_RPC_Type) bool {
	return d.claims.controller[capability]
}

// ClaimsPlugin reports whether GetPluginCapabilities lists the service.
func (d *Driver) ClaimsPlugin(service csi.PluginCapability_Service_Type) bool {
	return d.claims.plugin[service]
}

// ClaimsExpansion reports whether GetPluginCapabilities lists the way of expansion.
func (d *Driver) ClaimsExpansion(way csi.PluginCapability_VolumeExpansion_Type) bool {
	return d.claims.expansion[way]
}

// Claims reports whether the node's NodeGetCapabilities lists the capability.
func (n *Node) Claims(capability csi.NodeServiceCapability_RPC_Type) bool {
	return n.claims[capability]
}
