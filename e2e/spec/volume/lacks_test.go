package volume_test

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/spectest"
)

const (
	mutableCases = "mutable_at_creation mutable_over_parameters modify_volume modify_unsupported modify_unknown_volume"
	nodeCases    = "size_of_block capabilities_any_used delete_published"
	sizedCases   = "size_exact name_taken_larger name_taken_smaller name_taken_compatible"
)

// lacking are drivers, or environments, that are right and lack something.
func lacking() map[string]spectest.Expectation {
	return map[string]spectest.Expectation{
		"no capability CREATE_DELETE_VOLUME": without(csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
			"volume_created volume_same_name size_exact size_too_large capabilities_all_held name_longest modify_volume delete_again"),
		"no capability GET_CAPACITY": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Capacity = true }},
			Cases:  []spectest.Case{spectest.Skips("size_too_large", "ControllerGetCapabilities does not list GET_CAPACITY")},
		},
		"no capability GET_VOLUME":    without(csi.ControllerServiceCapability_RPC_GET_VOLUME, "volume_context_constant"),
		"no capability MODIFY_VOLUME": without(csi.ControllerServiceCapability_RPC_MODIFY_VOLUME, mutableCases),
		"no capability PUBLISH_UNPUBLISH_VOLUME": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
			Cases: []spectest.Case{
				spectest.Skips("capabilities_any_used delete_published", "ControllerGetCapabilities does not list PUBLISH_UNPUBLISH_VOLUME"),
				spectest.Passes("size_of_block", ""),
			},
		},
		"no topology": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
			Cases: []spectest.Case{
				spectest.Skips("name_taken_parameters", "GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS"),
				spectest.Passes("volume_created volume_ids_unique size_of_block delete_published", ""),
			},
		},
		"one segment": {
			Driver: spectest.Driver{Options: func(o *embedded.Options) {
				o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
			}},
			Cases: []spectest.Case{
				spectest.Skips("name_taken_parameters", "the driver has 1 topology segments, and the case needs 2"),
				spectest.Passes("volume_created volume_ids_unique size_of_block delete_published", ""),
			},
		},
		"volumes of unknown size": {
			Driver: spectest.Driver{Fault: answering(func(_ *creation, v *csi.Volume) { v.CapacityBytes = 0 })},
			Cases:  []spectest.Case{spectest.Skips(sizedCases, "is of unknown size: its capacity_bytes is 0, which is allowed (VOL-01)")},
		},
		"no node endpoints": {
			Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
			Cases: []spectest.Case{
				spectest.Skips(nodeCases, "there are 0 node endpoints, and the case needs 1"),
				spectest.Skips("name_taken_parameters", "the driver has 0 topology segments, and the case needs 2"),
			},
		},
		"a profile that says little": {
			Driver: spectest.Driver{Target: func(t *harness.Target) {
				t.Profile.MutableParameters, t.Profile.Block = nil, false
				t.Profile.Volumes = slices.Clone(t.Profile.Volumes[:1])
				t.Profile.Capacity = "at-least"
			}},
			Cases: []spectest.Case{
				spectest.Skips(mutableCases, "the profile names no mutable parameters"),
				spectest.Skips("size_of_block name_taken_capabilities", "the profile says that the driver has no raw block volumes"),
				spectest.Skips("name_taken_parameters", "the profile has no volumes that are accessible from 2 topologies"),
			},
		},
	}
}

// without is a driver that does not claim the capability.
func without(capability csi.ControllerServiceCapability_RPC_Type, cases string) spectest.Expectation {
	return spectest.Expectation{
		Driver: spectest.Driver{Fault: spectest.Without(capability)},
		Cases:  []spectest.Case{spectest.Skips(cases, "ControllerGetCapabilities does not list "+capability.String())},
	}
}
