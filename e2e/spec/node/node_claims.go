package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a node claims it implements.
func nodeClaims(s *harness.Suite) {
	labels := verdict.Case("node_claims", "GEN-14")
	needs := harness.Needs{Nodes: 1}
	s.Case("implements the calls whose capabilities NodeGetCapabilities lists", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			for claim, call := range claimed(ctx, node) {
				if node.Claims(claim) {
					gomega.Expect(status.Code(call())).NotTo(gomega.Equal(codes.Unimplemented), "%s lists %s, and does not implement it: only what is not implemented is UNIMPLEMENTED (GEN-14)", node, claim)
				}
			}
		}
	})
}
