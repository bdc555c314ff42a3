package identity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO takes two names for two plugins: volumes of the one do not get to the nodes of the other. No clause says that there
// is one name, for which reason this is no failure.
func identityOneName(s *harness.Suite) {
	labels := verdict.Case("identity_one_name", "GI-03")
	s.Case("has the same name at each endpoint", labels, harness.Needs{Nodes: 1}, func(ctx context.Context, under *harness.Driver) {
		name := ""
		for i, endpoint := range endpoints(under) {
			got := endpoint.info(ctx).GetName()
			if i == 0 {
				name = got
			}
			if got != name {
				verdict.Warn("the plugin is %q at the controller and %q at %s: a CO takes it for two (GI-03)", name, got, endpoint.name)
			}
		}
	})
}
