package listing

import (
	"context"
	"math"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A page that has room for as many volumes as there are has them all, or says where the others begin.
func listVolumesInOnePage(s *harness.Suite) {
	labels := verdict.Case("list_volumes_in_one_page", "LV-01", "LV-04")
	needs := harness.Needs{Volumes: 3, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists every volume once where max_entries is as many as there are", labels, needs, func(ctx context.Context, under *harness.Driver) {
		made := newVolumes(ctx, under, 3)
		listed, _ := walk(ctx, under, 0)

		expectOnceOverPages(ctx, under, made, int32(min(len(listed), math.MaxInt32)))
	})
}
