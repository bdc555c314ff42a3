package identity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capability is a promise: the calls that follow from it are there, on each node.
func claimsNode(s *harness.Suite) {
	labels := verdict.Case("claims_node", "GEN-14", "NS-16")
	s.Case("implements what its nodes claim", labels, harness.Needs{Nodes: 1}, func(ctx context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			for _, rpc := range nodeRPCs(node) {
				if rpc.claimed {
					rpc.implemented(ctx)
				}
			}
		}
	})
}
