package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Who lists the nodes that volumes are published to publishes volumes.
func listVolumesPublishedNodesClaim(s *harness.Suite) {
	labels := verdict.Case("list_volumes_published_nodes_claim", "LV-16")
	needs := harness.Needs{Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)}
	s.Case("claims PUBLISH_UNPUBLISH_VOLUME with LIST_VOLUMES_PUBLISHED_NODES", labels, needs, func(ctx context.Context, under *harness.Driver) {
		gomega.Expect(under.Claims(csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME)).To(gomega.BeTrue(),
			"LIST_VOLUMES_PUBLISHED_NODES is claimed, and PUBLISH_UNPUBLISH_VOLUME is not (LV-16)")
	})
}
