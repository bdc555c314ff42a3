package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Who lists the health of volumes tells that of one: a CO finds out by that what a list passed over.
func claimsVolumeHealth(s *harness.Suite) {
	labels := verdict.Case("claims_volume_health", "VH-02")
	needs := harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH}}
	s.Case("claims LIST_VOLUME_HEALTH, and tells the health of one volume", labels, needs, func(_ context.Context, under *harness.Driver) {
		gomega.Expect(under.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)).To(gomega.BeTrue(),
			"LIST_VOLUME_HEALTH needs GET_VOLUME_HEALTH (VH-02)")
	})
}
