package node

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Nothing says that all nodes report the same keys. Where they do not, a CO that compares them, as Kubernetes does, never
// finds some of them.
func nodeTopologySameKeys(s *harness.Suite) {
	labels := verdict.Case("node_topology_same_keys", "NI-18")
	needs := harness.Needs{
		Nodes:  1,
		Plugin: []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS},
	}
	s.Case("reports the same topology keys on every node, which are those of the segments that the profile declares", labels, needs, func(_ context.Context, under *harness.Driver) {
		first := under.Nodes[0]
		want := keysOf(first.Segment)
		for _, node := range under.Nodes[1:] {
			if got := keysOf(node.Segment); !slices.Equal(got, want) {
				verdict.Warn("%s reports the topology keys %q, and %s reports %q: a node exists in a region and a zone, for instance, and so do all (NI-18)", node, got, first, want)
			}
		}
		for _, declared := range under.Profile().Segments {
			if got := keysOf(declared); !slices.Equal(got, want) {
				verdict.Warn("the profile declares a segment with the keys %q, and %s reports %q: one of them is wrong (NI-18)", got, first, want)
			}
		}
	})
}
