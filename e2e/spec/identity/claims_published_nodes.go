package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Which nodes a volume is published to is for a controller to tell that publishes volumes.
func claimsPublishedNodes(s *harness.Suite) {
	labels := verdict.Case("claims_published_nodes", "LV-16")
	needs := harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES}}
	s.Case("claims LIST_VOLUMES_PUBLISHED_NODES, and publishes volumes", labels, needs, func(_ context.Context, under *harness.Driver) {
		gomega.Expect(under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)).To(gomega.BeTrue(),
			"LIST_VOLUMES_PUBLISHED_NODES needs PUBLISH_UNPUBLISH_VOLUME (LV-16)")
	})
}
