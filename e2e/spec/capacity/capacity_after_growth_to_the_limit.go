package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that has taken the last byte leaves 0, and one that may not grow beyond that leaves what there is. Whether a
// driver lets a volume grow beyond what there is, is not asked here: the capacity is not negative in any case.
func capacityAfterGrowthToTheLimit(s *harness.Suite) {
	labels := verdict.Case("capacity_after_growth_to_the_limit", "CAP-11", "CAP-12", "CAP-13", "CAP-17")
	needs := harness.Needs{Segments: 1, Volumes: 2, Exhaustion: true, ExactCapacity: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_EXPAND_VOLUME}}
	s.Case("tells no negative capacity after a volume has grown into all the room, and beyond", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume, room := leaveRoom(ctx, under)
		whole := bytesOf(under, volume) + room

		for _, bytes := range []int64{whole, whole + 1, whole + under.Size()} {
			_, err := grow(ctx, under, volume, bytes)
			response, failure := under.Controller.GetCapacity(ctx, under.CapacityRequest(under.Z2))

			gomega.Expect(failure).To(harness.BeOK("a full segment has a capacity of 0 (CAP-12)"))
			gomega.Expect(negative(response)).To(gomega.BeEmpty(), "a volume was to grow from %d to %d bytes where there were %d more; ControllerExpandVolume: %v",
				bytesOf(under, volume), bytes, room, err)
		}
	})
}
