package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Whoever says where its nodes are claims that this matters: else the CO does not look at it.
func nodeTopologyClaimed(s *harness.Suite) {
	labels := verdict.Case("node_topology_claimed", "NI-14", "K8S-B1")
	needs := harness.Needs{Nodes: 1}
	s.Case("answers NodeGetInfo with accessible_topology only if it claims VOLUME_ACCESSIBILITY_CONSTRAINTS", labels, needs, func(_ context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			if len(node.Segment) > 0 {
				gomega.Expect(under.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)).To(gomega.BeTrue(),
					"a plugin that returns accessible_topology has VOLUME_ACCESSIBILITY_CONSTRAINTS (NI-14): %s returns %s", node, node.Segment)
			}
		}
	})
}
