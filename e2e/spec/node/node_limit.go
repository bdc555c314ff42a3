package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A limit of volumes may be missing, which leaves it to the CO, and is no negative number.
func nodeLimit(s *harness.Suite) {
	labels := verdict.Case("node_limit", "NI-12")
	needs := harness.Needs{Nodes: 1}
	s.Case("has no negative max_volumes_per_node", labels, needs, func(_ context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			gomega.Expect(node.MaxVolumes).To(gomega.BeNumerically(">=", 0), "the plugin must not set negative values for max_volumes_per_node (NI-12): %s", node)
		}
	})
}
