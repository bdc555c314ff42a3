package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An entry says where its volume is accessible from, as CreateVolume did. The specification has no MUST for it, but a
// volume without accessible_topology is one that a CO may take for accessible from everywhere.
func listVolumesTopology(s *harness.Suite) {
	labels := verdict.Case("list_volumes_topology", "LV-08", "VOL-17")
	needs := harness.Needs{Segments: 1, Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists a volume with its accessible_topology", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))

		entry := entryOf(ctx, under, volume)

		if got, want := topologyOf(entry.GetVolume()), topologyOf(volume); !got.Equal(want) {
			verdict.Warn("ListVolumes says that volume %s is accessible from %s, and CreateVolume said %s (LV-08)", volume.GetVolumeId(), got, want)
		}
	})
}
