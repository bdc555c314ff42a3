package harness

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// readCapabilities asks what the plugin and its controller claim. A capability that this version of the specification
// does not know is no concern of any case.
func (d *Driver) readCapabilities(ctx context.Context) {
	d.plugin = map[csi.PluginCapability_Service_Type]bool{}
	d.expansion = map[csi.PluginCapability_VolumeExpansion_Type]bool{}
	plugin := ask(ctx, "GetPluginCapabilities", d.Identity.GetPluginCapabilities, &csi.GetPluginCapabilitiesRequest{})
	for _, capability := range plugin.GetCapabilities() {
		if service := capability.GetService(); service != nil {
			d.plugin[service.GetType()] = true
		}
		if expansion := capability.GetVolumeExpansion(); expansion != nil {
			d.expansion[expansion.GetType()] = true
		}
	}
	d.controllerClaims = map[csi.ControllerServiceCapability_RPC_Type]bool{}
	if !d.plugin[csi.PluginCapability_Service_CONTROLLER_SERVICE] {
		return
	}
	controller := ask(ctx, "ControllerGetCapabilities", d.Controller.ControllerGetCapabilities, &csi.ControllerGetCapabilitiesRequest{})
	for _, capability := range controller.GetCapabilities() {
		d.controllerClaims[capability.GetRpc().GetType()] = true
	}
}

// Claims reports whether ControllerGetCapabilities lists the capability.
func (d *Driver) Claims(capability csi.ControllerServiceCapability_RPC_Type) bool {
	return d.controllerClaims[capability]
}

// ClaimsPlugin reports whether GetPluginCapabilities lists the service.
func (d *Driver) ClaimsPlugin(service csi.PluginCapability_Service_Type) bool {
	return d.plugin[service]
}

// ClaimsExpansion reports whether GetPluginCapabilities lists the way of expansion.
func (d *Driver) ClaimsExpansion(way csi.PluginCapability_VolumeExpansion_Type) bool {
	return d.expansion[way]
}
