package listing_test

import (
	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const (
	lists = "list_volumes_has_each_once list_volumes_without_deleted list_volumes_capacity list_volumes_context " + pages
	pages = "list_volumes_max_entries list_volumes_pages list_volumes_in_one_page list_volumes_while_volumes_change " +
		"list_volumes_invalid_token list_volumes_number_as_token list_volumes_negative_max_entries"
	gets    = "get_volume_answers get_volume_unknown get_volume_as_created"
	health  = "volume_health_of_new_volume volume_health_unknown"
	healths = "volume_health_list volume_health_list_of_deleted volume_health_list_invalid_token volume_health_list_negative_max_entries"
	nodes   = "list_volumes_published_nodes list_volumes_after_unpublish get_volume_published_nodes"
)

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"no capability LIST_VOLUMES": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)},
		Cases:  []spectest.Case{spectest.Skips(lists+" get_volume_as_listed", "ControllerGetCapabilities does not list LIST_VOLUMES"), spectest.Passes(gets, "")},
	},
	"no capability GET_VOLUME": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_VOLUME)},
		Cases:  []spectest.Case{spectest.Skips(gets+" get_volume_as_listed", "ControllerGetCapabilities does not list GET_VOLUME"), spectest.Passes(lists, "")},
	},
	"no capability LIST_VOLUME_HEALTH": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)},
		Cases:  []spectest.Case{spectest.Skips(healths, "ControllerGetCapabilities does not list LIST_VOLUME_HEALTH"), spectest.Passes(health, "")},
	},
	"no attaching": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
		Cases: []spectest.Case{
			spectest.Skips(nodes, "ControllerGetCapabilities does not list PUBLISH_UNPUBLISH_VOLUME"),
			spectest.Passes(lists+" "+gets, ""),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(nodes, "there are 0 node endpoints, and the case needs 1"),
			spectest.Passes(lists+" "+gets, ""),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
		Cases: []spectest.Case{
			spectest.Skips("list_volumes_of_every_segment", "GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
			spectest.Passes(lists+" "+gets+" "+health+" "+healths+" "+nodes, ""),
		},
	},
	"one segment": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) {
			o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
		}},
		Cases: []spectest.Case{
			spectest.Skips("list_volumes_of_every_segment", "the driver has 1 topology segments, and the case needs 2"),
			spectest.Passes(lists+" "+gets+" "+nodes, ""),
		},
	},
}
