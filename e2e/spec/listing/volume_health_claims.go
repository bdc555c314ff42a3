package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Who lists the health of volumes tells that of one: a CO finds out by that what a list passed over.
func volumeHealthClaims(s *harness.Suite) {
	labels := verdict.Case("volume_health_claims", "VH-02")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)}
	s.Case("claims GET_VOLUME_HEALTH with LIST_VOLUME_HEALTH", labels, needs, func(ctx context.Context, under *harness.Driver) {
		gomega.Expect(under.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)).To(gomega.BeTrue(),
			"LIST_VOLUME_HEALTH is claimed, and GET_VOLUME_HEALTH is not (VH-02)")
	})
}
