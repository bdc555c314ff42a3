package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume always has the same volume_context. An entry without it is of no use to a CO that has lost what CreateVolume
// answered.
func listVolumesContext(s *harness.Suite) {
	labels := verdict.Case("list_volumes_context", "LV-08", "VOL-12")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists a volume with its volume_context", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		expectSameContext(entryOf(ctx, under, volume).GetVolume(), volume, "ListVolumes")
	})
}
