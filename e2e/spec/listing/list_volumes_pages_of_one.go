package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Page after page, every volume comes once.
func listVolumesPagesOfOne(s *harness.Suite) {
	labels := verdict.Case("list_volumes_pages_of_one", "LV-01", "LV-03", "LV-04")
	needs := harness.Needs{Volumes: 3, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists every volume once over pages of one volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		expectOnceOverPages(ctx, under, newVolumes(ctx, under, 3), 1)
	})
}
