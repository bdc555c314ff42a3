// SPDX-License-Identifier: Apache-2.0

// Package general has drivers that break rules for all RPCs: required fields, size limits, concurrent calls and calls cut
// short, and correct drivers that lack something.
package general

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

type right = mutation.Right

// Drivers returns the faulty drivers, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	return mutation.Union(lacking(), wrongOfRequiredFields(), wrongOfLimits(), wrongOfCallsAtOnce(), wrongOfCallsCutShort())
}

const nodeCases = "required_controller_publish required_controller_unpublish required_node_stage required_node_unstage required_node_publish " +
	"required_node_unpublish required_node_expand required_node_stats required_node_health concurrent_publication concurrent_staging"

// lacking returns correct drivers, or environments, that lack something.
func lacking() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"no capability CREATE_DELETE_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			mutation.Skips("required_create_volume required_delete_volume required_node_stage limits_of_answers concurrent_creation", suite.ByCapability)),
		"no capability PUBLISH_UNPUBLISH_VOLUME": mutation.Wrong(mutation.Lacking(mutation.Attaching...),
			mutation.Skips("required_controller_publish required_controller_unpublish concurrent_publication", suite.ByCapability),
			mutation.Passes("required_node_stage required_node_publish concurrent_staging limits_of_answers")),
		"no topology": mutation.WithoutTopology(
			mutation.Passes("required_node_publish concurrent_creation concurrent_publication limits_of_answers")),
		"one segment": mutation.Started(mutation.InZones("Z2"), mutation.Passes("concurrent_creation")),
		"no capability EXPAND_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME,
			mutation.Skips("required_controller_expand", suite.ByCapability)),
		"no capability CREATE_DELETE_SNAPSHOT": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
			mutation.Skips("required_create_snapshot required_delete_snapshot required_get_snapshot required_create_group_snapshot required_get_group_snapshot", suite.ByCapability)),
		"no capability GET_SNAPSHOT": mutation.Without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
			mutation.Skips("required_get_snapshot", suite.ByCapability)),
		"no capability MODIFY_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME,
			mutation.Skips("required_controller_modify", suite.ByCapability)),
		"no capability GET_VOLUME": mutation.Without(csi.ControllerServiceCapability_RPC_GET_VOLUME,
			mutation.Skips("required_get_volume", suite.ByCapability)),
		"no capability GET_VOLUME_HEALTH": mutation.Without(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH,
			mutation.Skips("required_volume_health", suite.ByCapability)),
		"no capability GET_VOLUME_HEALTH of nodes": mutation.Wrong(mutation.Lacking(csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH),
			mutation.Skips("required_node_health", suite.ByCapability)),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(nodeCases, suite.ByEnvironment),
			mutation.Passes("limits_of_answers concurrent_creation required_create_volume")),
		"no mutable parameters": mutation.Told(func(t *harness.Target) { t.Profile.MutableParameters = nil },
			mutation.Skips("required_controller_modify", suite.ByProfile)),
	}
}
