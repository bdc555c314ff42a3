package spec

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// needPluginCapability skips the case when the plugin does not claim the capability.
func (d *driver) needPluginCapability(ctx context.Context, wanted csi.PluginCapability_Service_Type) {
	response := ask(ctx, d, "GetPluginCapabilities", d.identity.GetPluginCapabilities, &csi.GetPluginCapabilitiesRequest{})
	for _, capability := range response.GetCapabilities() {
		if capability.GetService().GetType() == wanted {
			return
		}
	}
	verdict.Skip(verdict.ByCapability, "GetPluginCapabilities does not list %s", wanted)
}

// readControllerCapabilities asks what the controller claims.
func (d *driver) readControllerCapabilities(ctx context.Context) {
	response := ask(ctx, d, "ControllerGetCapabilities", d.controller.ControllerGetCapabilities, &csi.ControllerGetCapabilitiesRequest{})
	d.claims = map[csi.ControllerServiceCapability_RPC_Type]bool{}
	for _, capability := range response.GetCapabilities() {
		d.claims[capability.GetRpc().GetType()] = true
	}
}

// need skips the case when the controller does not claim the capability.
func (d *driver) need(wanted csi.ControllerServiceCapability_RPC_Type) {
	if !d.claims[wanted] {
		verdict.Skip(verdict.ByCapability, "ControllerGetCapabilities does not list %s", wanted)
	}
}
