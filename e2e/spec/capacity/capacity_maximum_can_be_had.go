package capacity

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of maximum_volume_size can be made, of every kind. Where that is unset, what is available can be had in one
// volume, or the driver has a maximum that it should tell.
func capacityMaximumCanBeHad(s *harness.Suite) {
	labels := verdict.Case("capacity_maximum_can_be_had", "CAP-14", "CAP-15", "CAP-16", "CAP-18", "CR-03", "CV-07", "K8S-D16")
	needs := harness.Needs{Volumes: 1, TrackedCapacity: true}
	s.Case("makes volumes of maximum_volume_size", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, x := range kinds(under) {
			told := tell(ctx, under, requestFor(under, x, under.Z2))
			largest := largestOf(told)
			asked := in(under.Volume(x), under.Z2).OfBytes(largest)
			if largest == 0 {
				continue // there is no room for two topologies
			}

			answer := under.CreateVolume(ctx, asked)

			if told.GetMaximumVolumeSize() == nil && tooLarge(answer.Code) {
				verdict.Warn("%d bytes are available, and a volume of that size is refused: there is a maximum_volume_size, which should be told (CAP-18): %s", largest, answer)
				continue
			}
			gomega.Expect(answer.Code).To(gomega.Equal(codes.OK), "maximum_volume_size is %d, and a volume of that size can be made (CAP-14): %s", largest, answer)
			has := answer.Volume.GetCapacityBytes()
			gomega.Expect(has == 0 || has >= largest).To(gomega.BeTrue(), "it has %d bytes: the volume has at least required_bytes (CR-03), unless it is not told", has)
		}
	})
}
