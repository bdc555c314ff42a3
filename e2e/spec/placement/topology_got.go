package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerGetVolume says of a volume what CreateVolume said. A volume without accessible_topology would mean that it is
// accessible from everywhere, which is a warning.
func topologyGot(s *harness.Suite) {
	labels := verdict.Case("topology_got", "LV-15", "VOL-17")
	needs := harness.Needs{
		Volumes:    1,
		Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_VOLUME},
	}
	s.Case("answers ControllerGetVolume with the topologies that CreateVolume answered", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Zones(1)...))

		got := harness.Need(under.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: volume.GetVolumeId()}))

		expectSameTopology(under, "ControllerGetVolume", "LV-15", got.GetVolume(), volume)
	})
}
