package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where keys have a prefix, it is the same for all keys that the driver reports.
func topologyOnePrefix(s *harness.Suite) {
	labels := verdict.Case("topology_one_prefix", "TO-06")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("has one prefix for all keys, in the topologies of nodes and of a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		var all model.Set
		for _, topology := range reported(ctx, under) {
			all = append(all, topology.segment)
		}
		gomega.Expect(len(all.Prefixes())).To(gomega.BeNumerically("<=", 1), "the keys have the prefixes %q, and it must be one for all (TO-06)", all.Prefixes())
	})
}
