package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Two nodes of one node_id would be one for the controller.
func nodeIDUnique(s *harness.Suite) {
	labels := verdict.Case("node_id_unique", "NI-07")
	needs := harness.Needs{Nodes: 2}
	s.Case("gives every node another node_id", labels, needs, func(_ context.Context, under *harness.Driver) {
		endpoints := map[string]int{}
		for i, node := range under.Nodes {
			other, taken := endpoints[node.ID]
			gomega.Expect(taken).To(gomega.BeFalse(),
				"node_id identifies one node among all (NI-07), and node endpoints %d and %d both answer %q", other, i+1, node.ID)
			endpoints[node.ID] = i + 1
		}
	})
}
