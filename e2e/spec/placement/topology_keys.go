package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A topology key is a name, or a prefix, a slash and a name, of the characters that Kubernetes' labels have.
func topologyKeys(s *harness.Suite) {
	labels := verdict.Case("topology_keys", "TO-01", "TO-02", "TO-03", "TO-04", "TO-08", "K8S-C17")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("has valid keys in the topologies of nodes and of a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, topology := range reported(ctx, under) {
			gomega.Expect(texts(topology.segment.BrokenKeys())).To(gomega.BeEmpty(), "%s of %s", topology.segment, topology.by)
		}
	})
}
