// SPDX-License-Identifier: Apache-2.0

// Package growth has drivers that expand volumes wrongly, and correct drivers that lack something.
package growth

import (
	"context"
	"slices"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/embedded"
	"github.com/csi-topo/csi-topo/driver/service"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Drivers returns the faulty drivers, each with the cases of its side, and correct drivers that lack something.
func Drivers() map[string]mutation.Expectation {
	wanted := lacks()
	add := func(side, focus string, faults map[string]mutation.Expectation) {
		for name, expectation := range faults {
			expectation.Focus, expectation.Options = focus, withoutLargest
			wanted[side+name] = expectation
		}
	}
	add("", "controller growth", faults())
	add("", "controller growth", nodeExpansionFaults())
	add("on the node: ", "node growth", nodeFaults())
	wanted["on the node: the end of a device cannot be written to"] = mutation.Expect(mutation.Driver{Focus: "node growth", Options: withoutLargest, Target: func(t *harness.Target) { t.Paths = shortDevices{t.Paths} }},
		mutation.Fails("node_grow_block_keeps_data", "CR-03"))
	return wanted
}

// shortDevices are nodes whose devices keep their old size.
type shortDevices struct{ harness.Paths }

func (s shortDevices) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	if offset >= size {
		return syscall.ENOSPC
	}
	return s.Paths.Write(ctx, node, path, offset, data)
}

// withoutLargest starts the driver without a largest size, so that growth is only limited by room.
func withoutLargest(o *embedded.Options) { o.Sizes.MaximumBytes = 0 }

const (
	ofSegments   = "grow_keeps_topology grow_full_segment"
	ofTwo        = "growth_in_both_zones grow_two_zones_one_full"
	ofController = "grow_online grow_online_two_nodes grow_again grow_to_smaller grow_no_capability grow_block " +
		"grow_at_once grow_cut_short grow_limit grow_limit_only grow_limit_below_size growth_in_one_zone grow_beyond_room " +
		invalid + " grow_unknown_volume " + ofSegments + " " + ofTwo
)

// lacks returns correct drivers, or environments, that lack something.
func lacks() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"one segment": mutation.Started(mutation.InZones("Z2"), mutation.Skips(ofTwo, suite.ByEnvironment),
			mutation.Skips("grow_published_offline", suite.ByCapability),
			mutation.Passes(ofSegments+" grow_beyond_room growth_in_one_zone")),
		"no topology": mutation.WithoutTopology(mutation.Skips(ofSegments+" "+ofTwo, suite.ByCapability),
			mutation.Passes("grow_again grow_online grow_beyond_room node_grow_staged node_grow_again")),
		"no attaching": mutation.Wrong(mutation.Lacking(mutation.Attaching...),
			mutation.Passes("grow_again grow_online node_grow_staged node_grow_again node_grow_block")),
		"no capability EXPAND_VOLUME of the controller": mutation.Wide(mutation.Lacking(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME),
			mutation.Skips(ofController+" node_grow_beyond_volume", suite.ByCapability)),
		"no capability EXPAND_VOLUME of nodes": mutation.Without(csi.NodeServiceCapability_RPC_EXPAND_VOLUME,
			mutation.Skips(ofNode+" node_grow_staged node_grow_unsupported_capability "+notThere, suite.ByCapability), mutation.Warns("grow_node_expansion grow_node_expansion_block", "CE-15")),
		"no capability GET_CAPACITY": mutation.Without(csi.ControllerServiceCapability_RPC_GET_CAPACITY,
			mutation.Skips("growth_in_one_zone growth_in_both_zones grow_beyond_room", suite.ByCapability),
			mutation.Skips("grow_full_segment grow_two_zones_one_full", suite.ByCapability),
			mutation.Passes("grow_again grow_at_once")),
		"neither GET_VOLUME nor LIST_VOLUMES": mutation.Wrong(
			mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_VOLUME, csi.ControllerServiceCapability_RPC_LIST_VOLUMES),
			mutation.Skips("grow_keeps_topology", suite.ByCapability), mutation.Passes("grow_again grow_full_segment")),
		"OFFLINE expansion": mutation.Wrong(
			claim(csi.PluginCapability_VolumeExpansion_OFFLINE).And(onlyUnpublished(codes.FailedPrecondition)),
			mutation.Passes("grow_published_offline grow_again node_grow_staged node_grow_again"),
			mutation.Skips("grow_online node_grow_online", suite.ByCapability)),
		"neither ONLINE nor OFFLINE expansion": mutation.Wrong(claim(),
			mutation.Skips("grow_published_offline grow_online node_grow_online", suite.ByCapability),
			mutation.Passes("grow_again node_grow_again")),
		"nodes of a fake, which mount nothing and grow nothing": mutation.Expect(mutation.Driver{
			Target: func(t *harness.Target) { t.Profile.FakeNodes = true },
			Fault:  mutation.RefusingAll[*nodeExpandRequest](codes.Internal, "nothing is mounted at volume_path"),
		}, mutation.Skips(ofNode+" node_grow_staged node_grow_unsupported_capability "+notThere, suite.ByProfile),
			mutation.Passes("grow_again grow_online")),
		"no node endpoints": mutation.Told(func(t *harness.Target) { t.Nodes = nil },
			mutation.Skips(ofNode+" node_grow_staged grow_online", suite.ByEnvironment), mutation.Passes("grow_again")),
		"volumes that are as large as they shall grow to": mutation.Expect(mutation.Driver{Target: func(t *harness.Target) { t.Profile.GrownBytes = size }, Focus: "^grow_again|node_grow_online"},
			mutation.Errs("grow_again node_grow_online")),
		"volumes that are larger than was asked for, and a profile without grownBytes": mutation.Expect(mutation.Driver{
			Options: func(o *embedded.Options) {
				o.Sizes = service.Sizes{MinimumBytes: 4 * size, MaximumBytes: mutation.LargestVolume}
			},
			Target: func(t *harness.Target) { t.Profile.GrownBytes = 0 },
			Focus:  "^grow_(again|online|limit|no_capability)|node_grow",
		}, mutation.Passes("grow_again grow_online grow_limit grow_no_capability node_grow_again node_grow_staged")),
		"a profile without grownBytes": mutation.Told(func(t *harness.Target) { t.Profile.GrownBytes = 0 },
			mutation.Passes("grow_again growth_in_one_zone node_grow_again")),
	}
}

// claim makes a driver that claims these ways of expansion.
func claim(ways ...csi.PluginCapability_VolumeExpansion_Type) mutation.Fault {
	return mutation.Answering(func(_ *csi.GetPluginCapabilitiesRequest, response *csi.GetPluginCapabilitiesResponse) {
		response.Capabilities = slices.DeleteFunc(response.Capabilities, func(c *csi.PluginCapability) bool { return c.GetVolumeExpansion() != nil })
		for _, way := range ways {
			response.Capabilities = append(response.Capabilities, &csi.PluginCapability{
				Type: &csi.PluginCapability_VolumeExpansion_{VolumeExpansion: &csi.PluginCapability_VolumeExpansion{Type: way}},
			})
		}
	})
}
