// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// endpoint is one of the driver's Identity services.
type endpoint struct {
	csi.IdentityClient
	name string
}

// endpoints returns the endpoints of the controller and of all nodes.
func endpoints(driver *harness.Driver) []endpoint {
	all := []endpoint{{driver.Identity, "the controller"}}
	for _, node := range driver.Nodes {
		all = append(all, endpoint{node.Identity, node.String()})
	}
	return all
}

// mustGetInfo returns the endpoint's answer to GetPluginInfo. Both plugins, and so every endpoint, serve Identity.
func (e endpoint) mustGetInfo(ctx context.Context) *csi.GetPluginInfoResponse {
	response, err := e.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})
	suite.Must("GI-03", status.Code(err) != codes.Unimplemented, "GetPluginInfo is UNIMPLEMENTED at %s, and every plugin serves Identity", e.name)
	return harness.NeedOK(response, err)
}

// mustGetCapabilities returns the names of the capabilities that the endpoint claims, in their order.
func (e endpoint) mustGetCapabilities(ctx context.Context) []string {
	response, err := e.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})
	suite.Must("GI-03", status.Code(err) != codes.Unimplemented, "GetPluginCapabilities is UNIMPLEMENTED at %s, and every plugin serves Identity", e.name)
	var names []string
	for _, capability := range harness.NeedOK(response, err).GetCapabilities() {
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
