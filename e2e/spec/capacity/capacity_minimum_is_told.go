package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that has a smallest size tells it as minimum_volume_size, and one that has none leaves that unset.
func capacityMinimumIsTold(s *harness.Suite) {
	labels := verdict.Case("capacity_minimum_is_told", "CAP-22", "CAP-24")
	needs := harness.Needs{Volumes: 1, TrackedCapacity: true}
	s.Case("tells minimum_volume_size where there is one, and none where there is none", labels, needs, func(ctx context.Context, under *harness.Driver) {
		minimum := tell(ctx, under, under.CapacityRequest(under.Z2)).GetMinimumVolumeSize()
		if minimum != nil && minimum.GetValue() == 0 {
			verdict.Warn("minimum_volume_size is 0, which is no minimum: leave it unset (CAP-24)")
		}
		if minimum != nil {
			return
		}
		request := under.CreateVolumeRequest(in(under.Volume(1), under.Z2))
		request.CapacityRange = &csi.CapacityRange{LimitBytes: 1}
		if _, err := under.Controller.CreateVolume(ctx, request); status.Code(err) == codes.OutOfRange {
			verdict.Warn("a volume of one byte is OUT_OF_RANGE: there is a minimum_volume_size, which should be told (CAP-24)")
		}
	})
}
