// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
)

// readClaims reads the capabilities and the nodes of the driver. Without them no case can be run.
func readClaims(ctx context.Context, d *Driver) (*claims, error) {
	ctx = attempt.Tolerant(ctx)
	c := &claims{
		plugin:     map[csi.PluginCapability_Service_Type]bool{},
		expansion:  map[csi.PluginCapability_VolumeExpansion_Type]bool{},
		controller: map[csi.ControllerServiceCapability_RPC_Type]bool{},
		groups:     map[csi.GroupControllerServiceCapability_RPC_Type]bool{},
	}
	plugin, err := d.Identity.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})
	if err != nil {
		return nil, fmt.Errorf("GetPluginCapabilities: %w", err)
	}
	for _, capability := range plugin.GetCapabilities() {
		if service := capability.GetService(); service != nil {
			c.plugin[service.GetType()] = true
		}
		if expansion := capability.GetVolumeExpansion(); expansion != nil {
			c.expansion[expansion.GetType()] = true
		}
	}
	if c.plugin[csi.PluginCapability_Service_CONTROLLER_SERVICE] {
		controller, err := d.Controller.ControllerGetCapabilities(ctx, &csi.ControllerGetCapabilitiesRequest{})
		switch {
		case status.Code(err) == codes.Unimplemented:
			return nil, fmt.Errorf("ControllerGetCapabilities: %w; GetPluginCapabilities lists CONTROLLER_SERVICE: name the endpoint where that service listens", err)
		case err != nil:
			return nil, fmt.Errorf("ControllerGetCapabilities: %w", err)
		}
		for _, capability := range controller.GetCapabilities() {
			c.controller[capability.GetRpc().GetType()] = true
		}
	}
	if c.plugin[csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE] {
		// A driver that does not answer has no group snapshots: claims_controller reports that.
		groups, _ := d.Groups.GroupControllerGetCapabilities(ctx, &csi.GroupControllerGetCapabilitiesRequest{})
		for _, capability := range groups.GetCapabilities() {
			c.groups[capability.GetRpc().GetType()] = true
		}
	}
	for _, node := range d.Nodes {
		found, err := node.readClaims(ctx)
		if err != nil {
			return nil, err
		}
		c.nodes = append(c.nodes, found)
	}
	return c, nil
}

func (n *Node) readClaims(ctx context.Context) (nodeClaims, error) {
	info, err := n.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
	unknown := status.Code(err) == codes.Unimplemented
	if err != nil && !unknown {
		return nodeClaims{}, fmt.Errorf("NodeGetInfo of %s: %w", n, err)
	}
	c := nodeClaims{
		unknown:      unknown,
		id:           info.GetNodeId(),
		maxVolumes:   info.GetMaxVolumesPerNode(),
		segment:      info.GetAccessibleTopology().GetSegments(),
		capabilities: map[csi.NodeServiceCapability_RPC_Type]bool{},
	}
	capabilities, err := n.NodeGetCapabilities(ctx, &csi.NodeGetCapabilitiesRequest{})
	if err != nil {
		return nodeClaims{}, fmt.Errorf("NodeGetCapabilities of %s: %w", n, err)
	}
	for _, capability := range capabilities.GetCapabilities() {
		c.capabilities[capability.GetRpc().GetType()] = true
	}
	return c, nil
}
