// SPDX-License-Identifier: Apache-2.0

package growth_test

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

const (
	ofSegments   = "grow_keeps_topology grow_full_segment"
	ofTwo        = "growth_in_both_zones grow_two_zones_one_full"
	ofController = "grow_online grow_again grow_to_smaller grow_no_capability grow_block " +
		"grow_at_once grow_cut_short grow_limit grow_limit_only grow_limit_below_size growth_in_one_zone grow_beyond_room " +
		invalid + " grow_unknown_volume " + ofSegments + " " + ofTwo
)

// lacks are drivers, or environments, that are right and lack something.
var lacks = map[string]spectest.Expectation{
	"one segment": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) {
			o.Segments = []topology.Segment{{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}}
		}},
		Cases: []spectest.Case{
			spectest.Skips(ofTwo, verdict.ByEnvironment),
			spectest.Skips("grow_published_offline", verdict.ByCapability),
			spectest.Passes(ofSegments + " grow_beyond_room growth_in_one_zone"),
		},
	},
	"no topology": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Topology = true }},
		Cases: []spectest.Case{
			spectest.Skips(ofSegments+" "+ofTwo, verdict.ByCapability),
			spectest.Passes("grow_again grow_online grow_beyond_room node_grow_staged node_grow_again"),
		},
	},
	"no attaching": {
		Driver: spectest.Driver{Options: func(o *embedded.Options) { o.Lacks.Attach = true }},
		Cases:  []spectest.Case{spectest.Passes("grow_again grow_online node_grow_staged node_grow_again node_grow_block")},
	},
	"no capability EXPAND_VOLUME of the controller": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)},
		Cases: []spectest.Case{
			spectest.Skips(ofController+" node_grow_beyond_volume", verdict.ByCapability),
		},
		Wide: true,
	},
	"no capability EXPAND_VOLUME of nodes": {
		Driver: spectest.Driver{Fault: spectest.WithoutNode(csi.NodeServiceCapability_RPC_EXPAND_VOLUME)},
		Cases:  []spectest.Case{spectest.Skips(ofNode+" node_grow_staged node_grow_unsupported_capability "+notThere, verdict.ByCapability)},
	},
	"no capability GET_CAPACITY": {
		Driver: spectest.Driver{Fault: spectest.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY)},
		Cases: []spectest.Case{
			spectest.Skips("growth_in_one_zone growth_in_both_zones grow_beyond_room", verdict.ByCapability),
			spectest.Skips("grow_full_segment grow_two_zones_one_full", verdict.ByCapability),
			spectest.Passes("grow_again grow_at_once"),
		},
	},
	"neither GET_VOLUME nor LIST_VOLUMES": {
		Driver: spectest.Driver{Fault: withoutLists()},
		Cases: []spectest.Case{
			spectest.Skips("grow_keeps_topology", verdict.ByCapability),
			spectest.Passes("grow_again grow_full_segment"),
		},
	},
	"OFFLINE expansion": {
		Driver: spectest.Driver{Fault: claim(csi.PluginCapability_VolumeExpansion_OFFLINE).And(onlyUnpublished(codes.FailedPrecondition))},
		Cases: []spectest.Case{
			spectest.Passes("grow_published_offline grow_again node_grow_staged node_grow_again"),
			spectest.Skips("grow_online node_grow_online", verdict.ByCapability),
		},
	},
	"neither ONLINE nor OFFLINE expansion": {
		Driver: spectest.Driver{Fault: claim()},
		Cases: []spectest.Case{
			spectest.Skips("grow_published_offline grow_online node_grow_online", verdict.ByCapability),
			spectest.Passes("grow_again node_grow_again"),
		},
	},
	"nodes of a fake, which mount nothing and grow nothing": {
		Driver: spectest.Driver{
			Target: func(t *harness.Target) { t.Profile.FakeNodes = true },
			Fault: spectest.On(func(context.Context, spectest.Right, *csi.NodeExpandVolumeRequest) (*csi.NodeExpandVolumeResponse, error) {
				return nil, status.Error(codes.Internal, "nothing is mounted at volume_path")
			}),
		},
		Cases: []spectest.Case{
			spectest.Skips(ofNode+" node_grow_staged node_grow_unsupported_capability "+notThere, verdict.ByProfile),
			spectest.Passes("grow_again grow_online"),
		},
	},
	"no node endpoints": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Nodes = nil }},
		Cases: []spectest.Case{
			spectest.Skips(ofNode+" node_grow_staged grow_online", verdict.ByEnvironment),
			spectest.Passes("grow_again"),
		},
	},
	"volumes that are as large as they shall grow to": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.GrownBytes = size }, Focus: "^grow_again|node_grow_online"},
		Cases:  []spectest.Case{spectest.Errs("grow_again node_grow_online")},
	},
	"volumes that are larger than was asked for, and a profile without grownBytes": {
		Driver: spectest.Driver{
			Options: func(o *embedded.Options) {
				o.Sizes = service.Sizes{MinimumBytes: 4 * size, MaximumBytes: spectest.LargestVolume}
			},
			Target: func(t *harness.Target) { t.Profile.GrownBytes = 0 },
			Focus:  "^grow_(again|online|limit|no_capability)|node_grow",
		},
		Cases: []spectest.Case{
			spectest.Passes("grow_again grow_online grow_limit grow_no_capability node_grow_again node_grow_staged"),
		},
	},
	"a profile without grownBytes": {
		Driver: spectest.Driver{Target: func(t *harness.Target) { t.Profile.GrownBytes = 0 }},
		Cases:  []spectest.Case{spectest.Passes("grow_again growth_in_one_zone node_grow_again")},
	},
}
