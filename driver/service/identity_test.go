// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/service"
)

func TestIdentity(t *testing.T) {
	identity := service.NewIdentity("v1.2.3")
	info, err := identity.GetPluginInfo(t.Context(), &csi.GetPluginInfoRequest{})
	if err != nil || info.GetName() != "hostpath.topo.csi" || info.GetVendorVersion() != "v1.2.3" {
		t.Errorf("got %v and %v, want hostpath.topo.csi of v1.2.3", info, err)
	}
	response, err := identity.GetPluginCapabilities(t.Context(), &csi.GetPluginCapabilitiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var services []csi.PluginCapability_Service_Type
	var expansion []csi.PluginCapability_VolumeExpansion_Type
	for _, c := range response.GetCapabilities() {
		switch c.GetType().(type) {
		case *csi.PluginCapability_Service_:
			services = append(services, c.GetService().GetType())
		case *csi.PluginCapability_VolumeExpansion_:
			expansion = append(expansion, c.GetVolumeExpansion().GetType())
		}
	}
	if want := []csi.PluginCapability_Service_Type{
		csi.PluginCapability_Service_CONTROLLER_SERVICE,
		csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS,
		csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
	}; !slices.Equal(services, want) {
		t.Errorf("got services %v, want %v", services, want)
	}
	if want := []csi.PluginCapability_VolumeExpansion_Type{csi.PluginCapability_VolumeExpansion_ONLINE}; !slices.Equal(expansion, want) {
		t.Errorf("got expansion %v, want %v", expansion, want)
	}
	probe, err := identity.Probe(t.Context(), &csi.ProbeRequest{})
	if err != nil || !probe.GetReady().GetValue() {
		t.Errorf("got %v and %v, want ready", probe, err)
	}
}
