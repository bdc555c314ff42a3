package identity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The name is how a CO tells plugins apart, and part of many other names: sockets, directories, labels.
func identityName(s *harness.Suite) {
	labels := verdict.Case("identity_name", "GI-01", "GI-03")
	s.Case("has a name in domain name notation", labels, harness.Needs{}, func(ctx context.Context, under *harness.Driver) {
		for _, endpoint := range endpoints(under) {
			name := endpoint.info(ctx).GetName()
			gomega.Expect(notDomainName(name)).To(gomega.BeEmpty(), "the name of a plugin is in domain name notation (GI-01), and that of %s is %q", endpoint.name, name)
		}
	})
}
