package source_test

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const ofZ3 = partly + " " + outOfReach

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"one segment": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) {
			o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
		}},
		Cases: []spectest.Case{
			spectest.Skips(ofZ3+" snapshot_preferring snapshot_out_of_reach snapshot_topology_again snapshot_two_zones", "the driver has 1 topology segments, and the case needs 2"),
			spectest.Passes(made+" "+inReach+" "+full+" snapshot_restorable snapshot_within", ""),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
		Cases: []spectest.Case{
			spectest.Skips(ofZ3+" "+inReach+" "+full+" snapshot_full_segment", "does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
			spectest.Skips("snapshot_restorable snapshot_within", "does not list SNAPSHOT_ACCESSIBILITY_CONSTRAINTS"),
			spectest.Passes(made+" "+countedOnce+" "+largerOnNode+" snapshot_volume snapshot_topology_claimed", ""),
		},
	},
	"no capability CREATE_DELETE_SNAPSHOT": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)},
		Cases: []spectest.Case{
			spectest.Skips("restore_volume snapshot_volume snapshots_paged snapshot_got snapshot_within", "ControllerGetCapabilities does not list CREATE_DELETE_SNAPSHOT"),
			spectest.Passes("clone_volume source_empty", ""),
		},
	},
	"no capability CLONE_VOLUME": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_CLONE_VOLUME)},
		Cases: []spectest.Case{
			spectest.Skips("clone_volume clone_in_reach clone_counted_once", "ControllerGetCapabilities does not list CLONE_VOLUME"),
			spectest.Passes("restore_volume source_empty", ""),
		},
	},
	"no capability LIST_SNAPSHOTS": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)},
		Cases: []spectest.Case{
			spectest.Skips("snapshot_listed snapshots_by_source snapshots_by_id snapshots_paged snapshots_invalid_token", "ControllerGetCapabilities does not list LIST_SNAPSHOTS"),
			spectest.Passes("snapshot_volume snapshot_outlives_volume snapshot_topology_reported", ""),
		},
	},
	"no capability GET_SNAPSHOT": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)},
		Cases: []spectest.Case{
			spectest.Skips("snapshot_got snapshot_get_unknown", "ControllerGetCapabilities does not list GET_SNAPSHOT"),
			spectest.Passes("snapshot_listed snapshot_topology_reported", ""),
		},
	},
	"no capability GET_CAPACITY": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY)},
		Cases: []spectest.Case{
			spectest.Skips(countedOnce, "does not list GET_CAPACITY"),
			spectest.Skips(full+" snapshot_full_segment", "the profile has no hook that exhausts a segment"),
			spectest.Passes(made+" "+again, ""),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(largerOnNode, "there are 0 node endpoints"),
			spectest.Passes(made+" "+larger+" snapshot_volume", ""),
		},
	},
}
