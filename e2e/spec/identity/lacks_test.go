// SPDX-License-Identifier: Apache-2.0

package identity_test

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// lacking are drivers, or environments, that are right and lack something.
func lacking() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"no volumes that grow": wrong(
			withoutExpansion().And(spectest.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)).And(withoutAtNodes(csi.NodeServiceCapability_RPC_EXPAND_VOLUME)),
			spectest.Skips("claims_expansion", verdict.ByCapability),
			spectest.Warns("claims_nothing_else", "GEN-14")),
		"no topology": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
			Cases: []spectest.Case{
				spectest.Skips("claims_volume_constraints", verdict.ByCapability),
				spectest.Skips("claims_snapshot_constraints", verdict.ByCapability),
			},
		},
		"no attaching": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
			Cases: []spectest.Case{
				spectest.Skips("claims_published_nodes", verdict.ByCapability),
				spectest.Passes("claims_nothing_else claims_controller"),
			},
		},
		"no node endpoints": {
			Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
			Cases: []spectest.Case{
				spectest.Skips("identity_one_name claims_node claims_volume_constraints", verdict.ByEnvironment),
				spectest.Passes("identity_name identity_capabilities claims_controller claims_nothing_else claims_expansion"),
			},
		},
		"no node endpoints, and volumes that grow by a call of the node": {
			Driver: spectest.Driver{
				Fault:  spectest.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
				Target: func(t *harness.Target) { t.Nodes = nil },
			},
			Cases: []spectest.Case{
				spectest.Passes("claims_expansion"),
				spectest.Warns("claims_nothing_else", "GEN-14"),
			},
		},
		"no node endpoints, and claims of the first call only": {
			Driver: spectest.Driver{Fault: claimsSnapshotsOnce(), Target: func(t *harness.Target) { t.Nodes = nil }},
			Cases:  []spectest.Case{spectest.Fails("identity_capabilities", "PC-01")},
		},
	}
}
