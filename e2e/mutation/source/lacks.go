// SPDX-License-Identifier: Apache-2.0

package source

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

const ofZ3 = partly + " " + outOfReach

// lacks returns right drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"one segment": mutation.Started(mutation.InZones("Z2"),
			mutation.Skips(ofZ3+" snapshot_preferring snapshot_out_of_reach snapshot_topology_again snapshot_two_zones", suite.ByEnvironment),
			mutation.Passes(made+" "+inReach+" "+full+" snapshot_restorable snapshot_within")),
		"no topology": mutation.WithoutTopology(mutation.Skips(ofZ3+" "+inReach+" "+full, suite.ByCapability),
			mutation.Skips("snapshot_restorable snapshot_within", suite.ByCapability),
			mutation.Passes(made+" "+countedOnce+" "+largerOnNode+" snapshot_volume")),
		"no capability CREATE_DELETE_SNAPSHOT": mutation.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT,
			mutation.Skips("restore_volume snapshot_volume snapshots_paged snapshot_got snapshot_within", suite.ByCapability),
			mutation.Passes("clone_volume source_empty source_unsupported")),
		"no capability CLONE_VOLUME": mutation.Wrong(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_CLONE_VOLUME),
			mutation.Skips("clone_volume clone_in_reach clone_counted_once", suite.ByCapability),
			mutation.Passes("restore_volume source_empty"), mutation.Warns("source_unsupported", "CREATE-04")),
		"no capability LIST_SNAPSHOTS": mutation.Without(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS,
			mutation.Skips("snapshot_listed snapshots_by_source snapshots_paged snapshots_paged_all snapshots_invalid_token snapshots_invalid_token_later snapshots_negative_max_entries snapshots_while_snapshots_change", suite.ByCapability),
			mutation.Passes("snapshot_volume snapshot_outlives_volume snapshot_topology_reported")),
		"no capability GET_SNAPSHOT": mutation.Without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT,
			mutation.Skips("snapshot_got snapshot_get_unknown", suite.ByCapability),
			mutation.Passes("snapshot_listed snapshot_topology_reported")),
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips(countedOnce, suite.ByCapability), mutation.Skips(full, suite.ByCapability),
			mutation.Passes(made+" "+again)),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(largerOnNode+" "+keepsData+" "+largerData+" "+independent, suite.ByEnvironment),
			mutation.Passes(made+" "+larger+" snapshot_volume")),
	}
}
