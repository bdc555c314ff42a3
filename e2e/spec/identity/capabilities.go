// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// pluginCapabilities returns the case about GetPluginCapabilities. All instances of one version have the same claims,
// regardless of their place and services, and every case relies on the claims at the beginning of the run.
func pluginCapabilities() []harness.Case {
	return []harness.Case{{
		ID:           "identity_capabilities",
		Text:         "claims the same capabilities at every endpoint, and throughout the run",
		Requirements: []string{"GI-03", "PC-01"},
		Run: func(ctx context.Context, driver *harness.Driver) {
			claimed := map[string][]string{}
			for _, endpoint := range endpoints(driver) {
				version, got := endpoint.mustGetInfo(ctx).GetVendorVersion(), endpoint.mustGetCapabilities(ctx)
				if others, seen := claimed[version]; seen {
					suite.Must("PC-01", slices.Equal(got, others), "GetPluginCapabilities at %s differs from the answer of another endpoint with the same vendor_version %q: %v, and there %v", endpoint.name, version, got, others)
				}
				claimed[version] = got
			}
			expectUnchanged(ctx, driver)
			if len(driver.Nodes) == 0 {
				suite.Reduced(ctx, "shown at the controller only: there are no node endpoints")
			}
		},
	}}
}

// expectUnchanged fails the case if the controller claims more than when the run began, or less.
func expectUnchanged(ctx context.Context, driver *harness.Driver) {
	claims := endpoints(driver)[0].mustGetCapabilities(ctx)
	expect := func(name string, before bool) {
		now := slices.Contains(claims, name)
		suite.Must("PC-01", now == before, "GetPluginCapabilities at the controller %s %s, and when the run began it %s", lists(now), name, lists(before))
	}
	for i, name := range csi.PluginCapability_Service_Type_name {
		expect(name, driver.ClaimsPlugin(csi.PluginCapability_Service_Type(i)))
	}
	for i, name := range csi.PluginCapability_VolumeExpansion_Type_name {
		expect("VolumeExpansion "+name, driver.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_Type(i)))
	}
}

func lists(does bool) string {
	if does {
		return "lists"
	}
	return "does not list"
}
