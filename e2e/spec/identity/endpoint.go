package identity

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// endpoint is one of the driver's Identity services.
type endpoint struct {
	csi.IdentityClient
	name string
}

// endpoints are the controller's and those of all nodes.
func endpoints(under *harness.Driver) []endpoint {
	all := []endpoint{{under.Identity, "the controller"}}
	for _, node := range under.Nodes {
		all = append(all, endpoint{node.Identity, node.String()})
	}
	return all
}

// info is what the endpoint says of its plugin, which the case depends on.
func (e endpoint) info(ctx context.Context) *csi.GetPluginInfoResponse {
	return harness.Need(e.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{}))
}

// capabilities are what the endpoint says that its plugin can do, in the order of their names.
func (e endpoint) capabilities(ctx context.Context) []string {
	var names []string
	for _, capability := range harness.Need(e.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})).GetCapabilities() {
		if service := capability.GetService(); service != nil {
			names = append(names, service.GetType().String())
		}
		if expansion := capability.GetVolumeExpansion(); expansion != nil {
			names = append(names, "VolumeExpansion "+expansion.GetType().String())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
