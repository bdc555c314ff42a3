package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A plugin that answers all other calls says that it is ready. One that is still starting says so, too.
func identityReady(s *harness.Suite) {
	labels := verdict.Case("identity_ready", "GI-03", "PR-01")
	s.Case("is ready", labels, harness.Needs{}, func(ctx context.Context, under *harness.Driver) {
		for _, endpoint := range endpoints(under) {
			response, err := endpoint.Probe(ctx, &csi.ProbeRequest{})
			gomega.Expect(err).NotTo(gomega.HaveOccurred(), "Probe is implemented, and well (PR-01), at %s too", endpoint.name)
			if ready := response.GetReady(); ready != nil && !ready.GetValue() {
				verdict.Warn("%s answers calls, and says that it is not ready for them (PR-01)", endpoint.name)
			}
		}
	})
}
