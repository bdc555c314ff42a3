package capacity

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where there is little room left the largest volume is what fits there: it can be made, and one of a byte more cannot.
func capacityMaximumOfLittleRoom(s *harness.Suite) {
	labels := verdict.Case("capacity_maximum_of_little_room", "CAP-14", "CVE-08", "CVE-11", "CV-07", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 1, Volumes: 2, Exhaustion: true, ExactCapacity: true}
	s.Case("tells the largest volume to the byte where a segment is almost full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		leaveRoom(ctx, under)
		maximum := tell(ctx, under, under.CapacityRequest(under.Z2)).GetMaximumVolumeSize()
		if maximum == nil {
			verdict.Skip(verdict.ByCapability, "GetCapacity tells no maximum_volume_size, which is OPTIONAL (CAP-16)")
		}

		expectTooLarge(under.CreateVolume(ctx, in(under.Volume(1), under.Z2).OfBytes(maximum.GetValue()+1)), maximum.GetValue())
		answer := under.CreateVolume(ctx, in(under.Volume(1), under.Z2).OfBytes(maximum.GetValue()))
		gomega.Expect(answer.Code).To(gomega.Equal(codes.OK), "maximum_volume_size is %d, and a volume of that size can be made (CAP-14): %s", maximum.GetValue(), answer)
	})
}
