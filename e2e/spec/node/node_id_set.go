package node

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The controller knows a node by its node_id, which therefore cannot be missing, and has a size that every CO can keep.
func nodeIDSet(s *harness.Suite) {
	labels := verdict.Case("node_id_set", "NI-01", "NI-06", "NI-09", "NI-10", "NI-19")
	needs := harness.Needs{Nodes: 1}
	s.Case("answers NodeGetInfo with a node_id of at most 256 bytes, and better 128", labels, needs, func(_ context.Context, under *harness.Driver) {
		const most, recommended = 256, 128
		for _, node := range under.Nodes {
			gomega.Expect(node.ID).NotTo(gomega.BeEmpty(), "node_id is REQUIRED (NI-06): a NodeGetInfo that cannot tell it fails, and is not OK (NI-19)")
			gomega.Expect(len(node.ID)).To(gomega.BeNumerically("<=", most), "node_id has 256 bytes at most (NI-09): %s", node)
			if len(node.ID) > recommended {
				verdict.Warn("node_id should have 128 bytes at most (NI-10), and has %d: %s", len(node.ID), node)
			}
		}
	})
}
