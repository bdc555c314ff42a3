package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerGetVolume and ListVolumes say the same of a volume where CreateVolume said nothing: what it said, other
// cases hold each of them to. There is no MUST for it, but a CO that asks both does not know which of two answers
// holds. Either may leave out what is optional.
func getVolumeAsListed(s *harness.Suite) {
	labels := verdict.Case("get_volume_as_listed", "LV-08", "LV-15")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_GET_VOLUME)}
	s.Case("gets a volume as ListVolumes has it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		listed, got := entryOf(ctx, under, volume).GetVolume(), harness.Need(get(ctx, under, volume.GetVolumeId())).GetVolume()

		differ := func(field string, a, b any) {
			verdict.Warn("ControllerGetVolume and ListVolumes say different things of one volume (LV-08, LV-15): %s is %v and %v", field, a, b)
		}
		if a, b := got.GetCapacityBytes(), listed.GetCapacityBytes(); volume.GetCapacityBytes() == 0 && a > 0 && b > 0 && a != b {
			differ("capacity_bytes", a, b)
		}
		if a, b := topologyOf(got), topologyOf(listed); len(volume.GetAccessibleTopology()) == 0 && len(a) > 0 && len(b) > 0 && !a.Equal(b) {
			differ("accessible_topology", a, b)
		}
		if a, b := got.GetContentSource(), listed.GetContentSource(); a != nil && b != nil && !proto.Equal(a, b) {
			differ("content_source", a, b)
		}
	})
}
