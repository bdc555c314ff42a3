package identity_test

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

// lacking are drivers, or environments, that are right and lack something.
func lacking() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"no volumes that grow": wrong(
			withoutExpansion().And(spectest.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)).And(withoutAtNodes(csi.NodeServiceCapability_RPC_EXPAND_VOLUME)),
			spectest.Skips("claims_expansion", "the plugin claims nothing of volumes that grow"),
			spectest.Warns("claims_nothing_else", "EXPAND_VOLUME is not claimed")),
		"no topology": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
			Cases: []spectest.Case{
				spectest.Skips("claims_volume_constraints", "GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
				spectest.Skips("claims_snapshot_constraints", "GetPluginCapabilities does not list SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"),
			},
		},
		"no attaching": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
			Cases: []spectest.Case{
				spectest.Skips("claims_published_nodes", "ControllerGetCapabilities does not list LIST_VOLUMES_PUBLISHED_NODES"),
				spectest.Passes("claims_nothing_else claims_controller", ""),
			},
		},
		"no node endpoints": {
			Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
			Cases: []spectest.Case{
				spectest.Skips("identity_one_name identity_capabilities claims_node claims_volume_constraints", "there are 0 node endpoints, and the case needs 1"),
				spectest.Passes("identity_name claims_controller claims_nothing_else claims_expansion", ""),
			},
		},
	}
}
