package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The capacity for volumes with given volume_capabilities is what can be used for such volumes: a volume that is then
// made must have fitted into it.
func capacityForCapabilities(s *harness.Suite) {
	labels := verdict.Case("capacity_for_capabilities", "CAP-02", "CAP-11", "CAP-15")
	needs := harness.Needs{Volumes: 2, TrackedCapacity: true}
	s.Case("tells room for the capabilities of a volume that can be made", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, capability := range supported(under) {
			request := under.CreateVolumeRequest(in(under.Volume(1), under.Z2))
			request.VolumeCapabilities = []*csi.VolumeCapability{capability}
			asked := under.CapacityRequest(under.Z2)
			asked.VolumeCapabilities = request.GetVolumeCapabilities()

			told := tell(ctx, under, asked)
			harness.Need(under.Controller.CreateVolume(ctx, request))

			expectRoomFor(told, under.Size(), "the volume_capabilities of a volume that was made (CAP-02)")
		}
	})
}
