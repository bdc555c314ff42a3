// SPDX-License-Identifier: Apache-2.0

// Package identity has drivers that describe themselves or their capabilities wrongly, and correct drivers that lack
// something.
package identity

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(lacking(), wrongOfIdentity(), wrongOfClaims(), wrongOfSockets())
}

// lacking returns correct drivers, or environments, that lack something.
func lacking() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no volumes that grow": mutation.Wrong(mutation.Unclaimed(csi.PluginCapability_VolumeExpansion_ONLINE,
			csi.ControllerServiceCapability_RPC_EXPAND_VOLUME, csi.NodeServiceCapability_RPC_EXPAND_VOLUME,
		), mutation.Skips("claims_expansion", suite.ByCapability), mutation.Warns("claims_nothing_else", "GEN-14")),
		"no topology": mutation.WithoutTopology(mutation.Skips("claims_volume_constraints", suite.ByCapability),
			mutation.Skips("claims_snapshot_constraints", suite.ByCapability)),
		"no attaching": mutation.Wrong(mutation.Lacking(mutation.Attaching...),
			mutation.Skips("claims_published_nodes", suite.ByCapability),
			mutation.Passes("claims_nothing_else claims_controller")),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips("claims_node claims_volume_constraints", suite.ByEnvironment),
			mutation.Passes("identity_name identity_one_name identity_capabilities claims_controller claims_nothing_else claims_expansion")),
		"no node endpoints, and volumes that grow by a call of the node": mutation.Expect(mutation.Driver{
			Fault:  mutation.Unclaimed(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
			Target: func(t *harness.Target) { t.Nodes = nil },
		}, mutation.Passes("claims_expansion"), mutation.Warns("claims_nothing_else", "GEN-14")),
		"no node endpoints, and claims of the first call only": mutation.Expect(mutation.Driver{Fault: claimsSnapshotsOnce(), Target: func(t *harness.Target) { t.Nodes = nil }},
			mutation.Fails("identity_capabilities", "PC-01")),
	}
}
