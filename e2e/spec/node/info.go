// SPDX-License-Identifier: Apache-2.0

package node

import (
	"context"
	"maps"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// nodeInfo returns the cases about NodeGetInfo, which reports which node this is, and how many volumes can be attached
// to it.
func nodeInfo() []harness.Case {
	return []harness.Case{{
		ID:           "node_id_set",
		Text:         "returns a node_id of at most 256 bytes, and should keep to 128",
		Requirements: []string{"NI-06", "NI-09", "NI-10", "NI-19"},
		Needs:        harness.NodeInfo(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const most, recommended = 256, 128
			suite.Each(driver.Nodes, func(node *harness.Node) {
				suite.Must("NI-06", node.ID != "", "%s answered OK to NodeGetInfo without a node_id, which is REQUIRED", node)
				suite.Must("NI-09", len(node.ID) <= most, "node_id must have at most %d bytes, and for %s it has %d", most, node, len(node.ID))
				suite.Should(ctx, "NI-10", len(node.ID) <= recommended, "node_id should have at most %d bytes, and for %s it has %d", recommended, node, len(node.ID))
			})
		},
	}, {
		ID:           "node_id_unique",
		Text:         "returns a different node_id on every node",
		Requirements: []string{"NI-07"},
		Needs:        harness.NodeInfo(2),
		Run: func(_ context.Context, driver *harness.Driver) {
			endpoints := map[string]int{}
			for i, node := range driver.Nodes {
				other, taken := endpoints[node.ID]
				suite.Must("NI-07", !taken, "node_id identifies one node among all, and node endpoints %d and %d both answer %q", other, i+1, node.ID)
				endpoints[node.ID] = i + 1
			}
		},
	}, {
		ID:           "node_info_again",
		Text:         "returns the same node_id every time, and should return the same limit and topology",
		Requirements: []string{"NI-04", "NI-05", "NI-07"},
		Needs:        harness.NodeInfo(1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			suite.Each(driver.Nodes, func(node *harness.Node) {
				first := harness.NeedOK(node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{}))
				for range 2 {
					again, err := node.NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
					harness.ExpectOK("NI-05", err, "NodeGetInfo may be called again")
					suite.Must("NI-07", again.GetNodeId() == first.GetNodeId(), "node_id identifies the node: NodeGetInfo of %s answered %q, and then %q", node, first.GetNodeId(), again.GetNodeId())
					suite.Should(ctx, "NI-05", proto.Equal(again, first), "the plugin must not rely on being asked again: NodeGetInfo of %s answered %s, and then %s", node, first, again)
				}
			})
		},
	}, {
		ID:           "node_limit",
		Text:         "returns no negative max_volumes_per_node",
		Requirements: []string{"NI-12"},
		Needs:        harness.NodeInfo(1),
		Run: func(_ context.Context, driver *harness.Driver) {
			suite.Each(driver.Nodes, func(node *harness.Node) {
				suite.Must("NI-12", node.MaxVolumes >= 0, "max_volumes_per_node must not be negative, and for %s it is %d", node, node.MaxVolumes)
			})
		},
	}}
}

// nodeTopology returns the cases about the accessible_topology of nodes. A CO compares it with the topology of a volume to
// find the nodes that can reach the volume. With a key that only some nodes report, or only volumes have, it finds none.
func nodeTopology() []harness.Case {
	return []harness.Case{{
		ID:           "node_topology_claimed",
		Text:         "returns accessible_topology for a node only if it claims VOLUME_ACCESSIBILITY_CONSTRAINTS",
		Requirements: []string{"NI-14", "K8S-B1"},
		Needs:        harness.NodeInfo(1),
		Run: func(_ context.Context, driver *harness.Driver) {
			claimed := driver.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)
			suite.Each(driver.Nodes, func(node *harness.Node) {
				suite.Must("NI-14", claimed || len(node.Segment) == 0, "a plugin that returns accessible_topology has VOLUME_ACCESSIBILITY_CONSTRAINTS: %s returns %s", node, node.Segment)
			})
		},
	}, {
		ID:           "node_topology_same_keys",
		Text:         "should report the same topology keys on every node, which are those of the segments in the profile",
		Requirements: []string{"NI-18"},
		Needs:        harness.Needs(harness.NodeInfo(1), harness.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			first := driver.Nodes[0]
			want := keysOf(first.Segment)
			for _, node := range driver.Nodes[1:] {
				got := keysOf(node.Segment)
				suite.Should(ctx, "NI-18", slices.Equal(got, want), "%s reports the topology keys %q, and %s reports %q: a CO that compares them never finds some of the nodes", node, got, first, want)
			}
			for _, declared := range driver.Profile().Segments {
				got := keysOf(declared)
				suite.Should(ctx, "NI-18", slices.Equal(got, want), "the profile declares a segment with the keys %q, and %s reports %q: one of them is wrong", got, first, want)
			}
		},
	}, {
		ID:           "node_topology_of_volumes",
		Text:         "should create volumes whose topology keys nodes report",
		Requirements: []string{"NI-18", "VOL-19", "CV-23"},
		Needs:        harness.Needs(harness.NodeInfo(1), harness.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS), harness.Volumes(1)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var reported []string
			for _, node := range driver.Nodes {
				reported = append(reported, keysOf(node.Segment)...)
			}
			for _, declared := range driver.Profile().Segments {
				reported = append(reported, keysOf(declared)...)
			}

			volume := driver.NeedVolume(ctx, driver.Volume(1))

			for _, topology := range volume.GetAccessibleTopology() {
				for key := range topology.GetSegments() {
					suite.Should(ctx, "VOL-19", slices.Contains(reported, key), "volume %s is accessible from %s, and no node reports the key %q (NI-18): give the endpoint of a node that does, or name its segment in the profile",
						volume.GetVolumeId(), messages.Segments(volume.GetAccessibleTopology()), key)
				}
			}
		},
	}}
}

// keysOf returns the segment's topology keys in their order.
func keysOf(segment model.Segment) []string {
	return slices.Sorted(maps.Keys(segment))
}
