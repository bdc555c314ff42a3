package general

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume grows to a size. What has neither leaves it as large as it is.
func requiredControllerExpand(s *harness.Suite) {
	labels := verdict.Case("required_controller_expand", "CE-08", "CE-09", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
	s.Case("asks for the required fields of ControllerExpandVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksForUnchanged(ctx, under, func() []string { return resized(ctx, under, volume) },
			under.Controller.ControllerExpandVolume, under.ControllerExpandVolumeRequest(volume, under.GrownSize()),
			required("volume_id", "CE-08"), required("capacity_range", "CE-09"))
	})
}

// resized says where the driver reports another size of the volume than it was made with; 0 is one that is not known
// (VOL-01).
func resized(ctx context.Context, under *harness.Driver, volume *csi.Volume) []string {
	var found []string
	for call, now := range under.Reported(ctx, volume.GetVolumeId()) {
		if before, after := volume.GetCapacityBytes(), now.GetCapacityBytes(); before != 0 && after != 0 && before != after {
			found = append(found, fmt.Sprintf("volume %s had %d bytes, and has %d in %s", volume.GetVolumeId(), before, after, call))
		}
	}
	return found
}
