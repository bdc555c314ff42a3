package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Volumes that are not accessible from everywhere are of use to a CO that knows where its nodes are.
func claimsVolumeConstraints(s *harness.Suite) {
	labels := verdict.Case("claims_volume_constraints", "PC-02")
	needs := harness.Needs{Nodes: 1, Plugin: []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS}}
	s.Case("claims VOLUME_ACCESSIBILITY_CONSTRAINTS, and has nodes that are somewhere", labels, needs, func(_ context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			if len(node.Segment) == 0 {
				verdict.Warn("volumes are accessible from some topologies only, and %s reports no accessible_topology: a CO cannot tell which volumes reach it (PC-02)", node)
			}
		}
	})
}
