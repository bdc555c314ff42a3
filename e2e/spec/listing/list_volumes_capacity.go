package listing

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An entry may leave open what its volume has, as 0. What else it says is what CreateVolume said.
func listVolumesCapacity(s *harness.Suite) {
	labels := verdict.Case("list_volumes_capacity", "LV-08", "VOL-01", "VOL-02")
	needs := harness.Needs{Volumes: 1, Controller: claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES)}
	s.Case("lists a volume with its capacity, or with none", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		listed := entryOf(ctx, under, volume).GetVolume().GetCapacityBytes()

		gomega.Expect(listed).To(gomega.BeNumerically(">=", 0), "capacity_bytes is not negative (VOL-02)")
		if made := volume.GetCapacityBytes(); listed > 0 && made > 0 && listed != made {
			verdict.Warn("ListVolumes says that volume %s has %d bytes, and CreateVolume said %d", volume.GetVolumeId(), listed, made)
		}
	})
}
