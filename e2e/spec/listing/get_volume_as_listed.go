package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerGetVolume and ListVolumes have the same messages for one volume. There is no MUST for it, but a CO that
// asks both does not know which of two answers holds.
func getVolumeAsListed(s *harness.Suite) {
	labels := verdict.Case("get_volume_as_listed", "LV-08", "LV-15")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("gets a volume as ListVolumes has it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		listed, got := entryOf(ctx, under, volume).GetVolume(), harness.Need(get(ctx, under, volume.GetVolumeId())).GetVolume()

		if !proto.Equal(listed, got) {
			verdict.Warn("ControllerGetVolume and ListVolumes say different things of one volume (LV-08, LV-15):\n%v\n%v", got, listed)
		}
	})
}
