package identity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a plugin can do is the same for all instances of one version, wherever they run and whatever they serve.
func identityCapabilities(s *harness.Suite) {
	labels := verdict.Case("identity_capabilities", "GI-03", "PC-01")
	s.Case("claims the same capabilities at each endpoint", labels, harness.Needs{Nodes: 1}, func(ctx context.Context, under *harness.Driver) {
		claimed := map[string][]string{}
		for _, endpoint := range endpoints(under) {
			version, got := endpoint.info(ctx).GetVendorVersion(), endpoint.capabilities(ctx)
			if others, seen := claimed[version]; seen {
				gomega.Expect(got).To(gomega.Equal(others), "all instances of one version claim the same capabilities (PC-01), and %s claims others", endpoint.name)
			}
			claimed[version] = got
		}
	})
}
