package identity

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a plugin can do is the same for all instances of one version, wherever they run and whatever they serve, and
// whenever they are asked: every case goes by what was claimed when the run began.
func identityCapabilities(s *harness.Suite) {
	labels := verdict.Case("identity_capabilities", "GI-03", "PC-01")
	s.Case("claims the same capabilities at each endpoint, and as when the run began", labels, harness.Needs{Nodes: 1}, func(ctx context.Context, under *harness.Driver) {
		claimed := map[string][]string{}
		for _, endpoint := range endpoints(under) {
			version, got := endpoint.info(ctx).GetVendorVersion(), endpoint.capabilities(ctx)
			if others, seen := claimed[version]; seen {
				gomega.Expect(got).To(gomega.Equal(others), "all instances of one version claim the same capabilities (PC-01), and %s claims others", endpoint.name)
			}
			claimed[version] = got
		}

		claims := endpoints(under)[0].capabilities(ctx)
		for i := range csi.PluginCapability_Service_Type_name {
			service := csi.PluginCapability_Service_Type(i)
			now, before := slices.Contains(claims, service.String()), under.ClaimsPlugin(service)
			gomega.Expect(now).To(gomega.Equal(before), "the controller claims %s: %t, and did when the run began: %t (PC-01)", service, now, before)
		}
	})
}
