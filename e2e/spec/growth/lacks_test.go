package growth_test

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const (
	ofSegments   = "grow_keeps_topology grow_full_segment"
	ofTwo        = "growth_in_both_zones grow_two_zones_one_full"
	ofController = "grow_offline grow_online grow_again grow_to_smaller grow_no_capability grow_block " +
		"grow_at_once grow_limit grow_limit_only grow_limit_below_size growth_in_one_zone grow_beyond_room " +
		invalid + " grow_unknown_volume " + ofSegments + " " + ofTwo
)

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"one segment": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) {
			o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
		}},
		Cases: []spectest.Case{
			spectest.Skips(ofTwo, "the driver has 1 topology segments, and the case needs 2"),
			spectest.Skips("grow_published_offline", "lists VolumeExpansion ONLINE"),
			spectest.Passes(ofSegments+" grow_beyond_room growth_in_one_zone", ""),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
		Cases: []spectest.Case{
			spectest.Skips(ofSegments+" "+ofTwo, "does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
			spectest.Passes("grow_offline grow_online grow_beyond_room node_grow_staged node_grow_published", ""),
		},
	},
	"no attaching": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
		Cases:  []spectest.Case{spectest.Passes("grow_offline grow_online node_grow_staged node_grow_published node_grow_block", "")},
	},
	"no capability EXPAND_VOLUME of the controller": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)},
		Cases: []spectest.Case{
			spectest.Skips(ofController+" node_grow_beyond_volume", "ControllerGetCapabilities does not list EXPAND_VOLUME"),
		},
		Wide: true,
	},
	"no capability EXPAND_VOLUME of nodes": {
		Driver: spectest.Driver{Fault: spectest.WithoutNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME)},
		Cases:  []spectest.Case{spectest.Skips(ofNode+" node_grow_unsupported_capability "+notThere, "does not list EXPAND_VOLUME")},
	},
	"no capability GET_CAPACITY": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY)},
		Cases: []spectest.Case{
			spectest.Skips("growth_in_one_zone growth_in_both_zones grow_beyond_room", "does not list GET_CAPACITY"),
			spectest.Skips("grow_full_segment grow_two_zones_one_full", "the profile has no hook that exhausts a segment"),
			spectest.Passes("grow_offline grow_again grow_at_once", ""),
		},
	},
	"neither GET_VOLUME nor LIST_VOLUMES": {
		Driver: spectest.Driver{Fault: withoutLists()},
		Cases: []spectest.Case{
			spectest.Skips("grow_keeps_topology", "lists neither GET_VOLUME nor LIST_VOLUMES"),
			spectest.Passes("grow_offline grow_full_segment", ""),
		},
	},
	"OFFLINE expansion": {
		Driver: spectest.Driver{Fault: claiming(csi.PluginCapability_VolumeExpansion_OFFLINE).And(onlyUnpublished())},
		Cases: []spectest.Case{
			spectest.Passes("grow_published_offline grow_offline node_grow_staged node_grow_published", ""),
			spectest.Skips("grow_online node_grow_online", "does not list VolumeExpansion ONLINE"),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(ofNode+" grow_online", "there are 0 node endpoints"),
			spectest.Passes("grow_offline grow_again", ""),
		},
	},
	"volumes that are as large as they shall grow to": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.GrownBytes = size }, Focus: "grow_offline|node_grow_published"},
		Cases:  []spectest.Case{spectest.Errs("grow_offline node_grow_published", "set grownBytes in the profile to more")},
	},
	"a profile without grownBytes": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.GrownBytes = 0 }},
		Cases:  []spectest.Case{spectest.Passes("grow_offline growth_in_one_zone node_grow_published", "")},
	},
}
