// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const ofZ3 = partly + " " + outOfReach

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"one segment": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) {
			o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
		}},
		Cases: []spectest.Case{
			spectest.Skips(ofZ3+" snapshot_preferring snapshot_out_of_reach snapshot_topology_again snapshot_two_zones", verdict.ByEnvironment),
			spectest.Passes(made + " " + inReach + " " + full + " snapshot_restorable snapshot_within"),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
		Cases: []spectest.Case{
			spectest.Skips(ofZ3+" "+inReach+" "+full, verdict.ByCapability),
			spectest.Skips("snapshot_restorable snapshot_within", verdict.ByCapability),
			spectest.Passes(made + " " + countedOnce + " " + largerOnNode + " snapshot_volume"),
		},
	},
	"no capability CREATE_DELETE_SNAPSHOT": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)},
		Cases: []spectest.Case{
			spectest.Skips("restore_volume snapshot_volume snapshots_paged snapshot_got snapshot_within", verdict.ByCapability),
			spectest.Passes("clone_volume source_empty source_unsupported"),
		},
	},
	"no capability CLONE_VOLUME": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_CLONE_VOLUME)},
		Cases: []spectest.Case{
			spectest.Skips("clone_volume clone_in_reach clone_counted_once", verdict.ByCapability),
			spectest.Passes("restore_volume source_empty"),
			spectest.Warns("source_unsupported", "CREATE-04"),
		},
	},
	"no capability LIST_SNAPSHOTS": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)},
		Cases: []spectest.Case{
			spectest.Skips("snapshot_listed snapshots_by_source snapshots_paged snapshots_invalid_token snapshots_negative_max_entries snapshots_while_snapshots_change", verdict.ByCapability),
			spectest.Passes("snapshot_volume snapshot_outlives_volume snapshot_topology_reported"),
		},
	},
	"no capability GET_SNAPSHOT": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)},
		Cases: []spectest.Case{
			spectest.Skips("snapshot_got snapshot_get_unknown", verdict.ByCapability),
			spectest.Passes("snapshot_listed snapshot_topology_reported"),
		},
	},
	"no capability GET_CAPACITY": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY)},
		Cases: []spectest.Case{
			spectest.Skips(countedOnce, verdict.ByCapability),
			spectest.Skips(full, verdict.ByCapability),
			spectest.Passes(made + " " + again),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(largerOnNode+" "+keepsData+" "+largerData+" "+independent, verdict.ByEnvironment),
			spectest.Passes(made + " " + larger + " snapshot_volume"),
		},
	},
}
