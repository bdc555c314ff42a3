package identity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A call that the plugin does not claim says that it is not there, and not that something is wrong with it.
func claimsNothingElse(s *harness.Suite) {
	labels := verdict.Case("claims_nothing_else", "GEN-14", "GEN-15", "GEN-16")
	s.Case("answers UNIMPLEMENTED to what it does not claim", labels, harness.Needs{}, func(ctx context.Context, under *harness.Driver) {
		rpcs := controllerRPCs(under)
		for _, node := range under.Nodes {
			rpcs = append(rpcs, nodeRPCs(node)...)
		}
		for _, rpc := range rpcs {
			if !rpc.claimed {
				rpc.unimplemented(ctx)
			}
		}
	})
}
