package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A topology value is neither empty nor longer than 63 characters, and of the characters that Kubernetes' labels have.
func topologyValues(s *harness.Suite) {
	labels := verdict.Case("topology_values", "TO-09", "TO-10")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("has valid values in the topologies of nodes and of a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, topology := range reported(ctx, under) {
			gomega.Expect(texts(topology.segment.BrokenValues())).To(gomega.BeEmpty(), "%s of %s", topology.segment, topology.by)
		}
	})
}
