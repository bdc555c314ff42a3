// SPDX-License-Identifier: Apache-2.0

package general

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const nodeCases = "required_controller_publish required_controller_unpublish required_node_stage required_node_unstage required_node_publish " +
	"required_node_unpublish required_node_expand required_node_stats required_node_health concurrent_publication concurrent_staging"

// lacking are drivers, or environments, that are right and lack something.
func lacking() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability CREATE_DELETE_VOLUME": without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			"required_create_volume required_delete_volume required_node_stage limits_of_answers concurrent_creation"),
		"no capability PUBLISH_UNPUBLISH_VOLUME": {
			Driver: mutation.Driver{Fault: mutation.Lacking(mutation.Attaching...)},
			Cases: []mutation.Case{
				mutation.Skips("required_controller_publish required_controller_unpublish concurrent_publication", suite.ByCapability),
				mutation.Passes("required_node_stage required_node_publish concurrent_staging limits_of_answers"),
			},
		},
		"no topology": {
			Driver: mutation.Driver{Options: mutation.InOneSegment, Fault: mutation.Lacking(mutation.Topology...)},
			Cases: []mutation.Case{
				mutation.Passes("required_node_publish concurrent_creation concurrent_publication limits_of_answers"),
			},
		},
		"one segment": {
			Driver: mutation.Driver{Options: func(o *embedded.Options) {
				o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
			}},
			Cases: []mutation.Case{mutation.Passes("concurrent_creation")},
		},
		"no capability EXPAND_VOLUME":          without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME, "required_controller_expand"),
		"no capability CREATE_DELETE_SNAPSHOT": without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, "required_create_snapshot required_delete_snapshot required_get_snapshot"),
		"no capability GET_SNAPSHOT":           without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT, "required_get_snapshot"),
		"no capability MODIFY_VOLUME":          without(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME, "required_controller_modify"),
		"no capability GET_VOLUME":             without(csi.ControllerServiceCapability_RPC_GET_VOLUME, "required_get_volume"),
		"no capability GET_VOLUME_HEALTH":      without(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH, "required_volume_health"),
		"no capability GET_VOLUME_HEALTH of nodes": wrong(mutation.Lacking(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH),
			mutation.Skips("required_node_health", suite.ByCapability)),
		"no node endpoints": {
			Driver: mutation.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
			Cases: []mutation.Case{
				mutation.Skips(nodeCases, suite.ByEnvironment),
				mutation.Passes("limits_of_answers concurrent_creation required_create_volume"),
			},
		},
		"no mutable parameters": {
			Driver: mutation.Driver{Target: func(t *harness.Target) { t.Profile.MutableParameters = nil }},
			Cases:  []mutation.Case{mutation.Skips("required_controller_modify", suite.ByProfile)},
		},
	}
}

// without is a driver that does not claim the capability.
func without(capability csi.ControllerServiceCapability_RPC_Type, cases string) mutation.Expectation {
	return wrong(mutation.Lacking(capability), mutation.Skips(cases, suite.ByCapability))
}
