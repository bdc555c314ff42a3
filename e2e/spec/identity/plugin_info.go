// SPDX-License-Identifier: Apache-2.0

package identity

import (
	"context"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// pluginInfo returns the cases about GetPluginInfo.
func pluginInfo() []harness.Case {
	return []harness.Case{
		{
			ID:           "identity_name",
			Text:         "has a name in domain name notation, of 63 characters at most",
			Requirements: []string{"GI-01", "GI-03"},
			Run: func(ctx context.Context, driver *harness.Driver) {
				suite.Each(endpoints(driver), func(endpoint endpoint) {
					name := endpoint.mustGetInfo(ctx).GetName()
					why := notDomainName(name)
					suite.Must("GI-01", why == "", "GetPluginInfo at %s returns the name %q, which must be in domain name notation: %s", endpoint.name, name, why)
				})
			},
		},
		// A CO treats two names as two plugins: volumes of one do not get to the nodes of the other. No clause says that the
		// names are the same, so this is a warning.
		{
			ID:           "identity_one_name",
			Text:         "returns the same name at every endpoint, and each time",
			Requirements: []string{"GI-03"},
			Run: func(ctx context.Context, driver *harness.Driver) {
				all := endpoints(driver)
				want := all[0].mustGetInfo(ctx).GetName()
				for _, endpoint := range slices.Concat(all[1:], all) {
					name := endpoint.mustGetInfo(ctx).GetName()
					suite.Should(ctx, "GI-03", name == want, "GetPluginInfo returns the name %q at %s and %q at %s: a CO takes them for two plugins", want, all[0].name, name, endpoint.name)
				}
			},
		},
		{
			ID:           "identity_version",
			Text:         "returns a vendor_version at every endpoint",
			Requirements: []string{"GI-02", "GI-03"},
			Run: func(ctx context.Context, driver *harness.Driver) {
				suite.Each(endpoints(driver), func(endpoint endpoint) {
					suite.Must("GI-02", endpoint.mustGetInfo(ctx).GetVendorVersion() != "", "GetPluginInfo at %s returns no vendor_version, which is REQUIRED", endpoint.name)
				})
			},
		},
	}
}
