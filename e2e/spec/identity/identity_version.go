package identity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The version is what a plugin's capabilities follow from.
func identityVersion(s *harness.Suite) {
	labels := verdict.Case("identity_version", "GI-02", "GI-03")
	s.Case("has a version", labels, harness.Needs{}, func(ctx context.Context, under *harness.Driver) {
		for _, endpoint := range endpoints(under) {
			gomega.Expect(endpoint.info(ctx).GetVendorVersion()).NotTo(gomega.BeEmpty(), "vendor_version is REQUIRED (GI-02), and that of %s is empty", endpoint.name)
		}
	})
}
