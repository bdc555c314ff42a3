// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// DriverName is the name under which the driver registers (GetPluginInfo).
const DriverName = "hostpath.topo.csi"

// Identity is the CSI Identity service. Controller and node plugins serve the
// same one, so that every instance claims the same capabilities (PC-01).
type Identity struct {
	csi.UnimplementedIdentityServer
	version string
	// local is true in node-local mode, which has no groups.
	local bool
}

// NewIdentity returns the Identity service of a driver with that version.
func NewIdentity(version string) *Identity { return &Identity{version: version} }

// NewLocalIdentity returns the Identity service of a driver of that version in
// node-local mode, where nothing serves groups.
func NewLocalIdentity(version string) *Identity { return &Identity{version: version, local: true} }

// GetPluginInfo returns the driver's name and version.
func (i *Identity) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: DriverName, VendorVersion: i.version}, nil
}

// GetPluginCapabilities reports that there is a controller, that neither volumes nor snapshots are accessible from
// everywhere, that volumes grow while published, and, except in node-local mode, that there are groups.
func (i *Identity) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	capabilities := []*csi.PluginCapability{
		serviceCapability(csi.PluginCapability_Service_CONTROLLER_SERVICE),
		serviceCapability(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS),
		serviceCapability(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
		serviceCapability(csi.PluginCapability_Service_SNAPSHOT_METADATA_SERVICE),
		{Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{
			Type: csi.PluginCapability_VolumeExpansion_ONLINE,
		}}},
	}
	if !i.local {
		capabilities = append(capabilities, serviceCapability(csi.PluginCapability_Service_GROUP_CONTROLLER_SERVICE))
	}
	return &csi.GetPluginCapabilitiesResponse{Capabilities: capabilities}, nil
}

// Probe reports that the plugin is ready: it serves only once it is.
func (i *Identity) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}

func serviceCapability(t csi.PluginCapability_Service_Type) *csi.PluginCapability {
	return &csi.PluginCapability{Type: &csi.PluginCapability_Service_{
		Service: &csi.PluginCapability_Service{Type: t},
	}}
}
