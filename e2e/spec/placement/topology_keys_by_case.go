package placement

import (
	"context"
	"strings"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Keys are case-insensitive: no two of all the keys that the driver reports differ only in their letter case.
func topologyKeysByCase(s *harness.Suite) {
	labels := verdict.Case("topology_keys_by_case", "TO-07", "TO-08")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("has no two keys that differ only in letter case, in the topologies of nodes and of a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		spelled := map[string]string{}
		for _, topology := range reported(ctx, under) {
			for key := range topology.segment {
				before, seen := spelled[strings.ToLower(key)]
				gomega.Expect(!seen || before == key).To(gomega.BeTrue(), "%s has the key %q, and elsewhere it is %q (TO-08)", topology.by, key, before)
				spelled[strings.ToLower(key)] = key
			}
		}
	})
}
