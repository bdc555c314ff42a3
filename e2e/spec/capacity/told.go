package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// tell is GetCapacity's answer, which the case depends on.
func tell(ctx context.Context, under *harness.Driver, request *csi.GetCapacityRequest) *csi.GetCapacityResponse {
	return harness.Need(under.Controller.GetCapacity(ctx, request))
}

// available is the available_capacity of a segment in bytes, that of everything when it is nil.
func available(ctx context.Context, under *harness.Driver, segment model.Segment) int64 {
	return tell(ctx, under, under.CapacityRequest(segment)).GetAvailableCapacity()
}

// everyAvailable is the available_capacity of each segment, by its name, or that of everything without topology.
func everyAvailable(ctx context.Context, under *harness.Driver) map[string]int64 {
	bytes := map[string]int64{}
	for _, segment := range everywhere(under) {
		bytes[segment.String()] = available(ctx, under, segment)
	}
	return bytes
}

// largestOf is the size in bytes of the largest volume, as far as the answer tells.
func largestOf(told *csi.GetCapacityResponse) int64 {
	if maximum := told.GetMaximumVolumeSize(); maximum != nil {
		return maximum.GetValue()
	}
	return told.GetAvailableCapacity()
}

// negative are the sizes of an answer that are negative, in sentences.
func negative(told *csi.GetCapacityResponse) []string {
	var found []string
	if bytes := told.GetAvailableCapacity(); bytes < 0 {
		found = append(found, fmt.Sprintf("available_capacity is %d, and must not be negative (CAP-13)", bytes))
	}
	if bytes := told.GetMaximumVolumeSize().GetValue(); bytes < 0 {
		found = append(found, fmt.Sprintf("maximum_volume_size is %d, and must not be negative (CAP-17)", bytes))
	}
	if bytes := told.GetMinimumVolumeSize().GetValue(); bytes < 0 {
		found = append(found, fmt.Sprintf("minimum_volume_size is %d, and must not be negative (CAP-23)", bytes))
	}
	return found
}

// expectNone expects a capacity of 0, or INVALID_ARGUMENT: the specification has no words for which.
func expectNone(told *csi.GetCapacityResponse, err error, why string) {
	ginkgo.GinkgoHelper()
	if err != nil {
		gomega.Expect(err).To(harness.BeRefused(why+": a capacity of 0, or INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
		return
	}
	gomega.Expect(told.GetAvailableCapacity()).To(gomega.BeZero(), "available_capacity is not 0, though %s", why)
	gomega.Expect(told.GetMaximumVolumeSize().GetValue()).To(gomega.BeZero(), "maximum_volume_size is not 0, though %s", why)
}

// expectTooLittleFor expects a capacity into which no volume of that many bytes fits.
func expectTooLittleFor(told *csi.GetCapacityResponse, bytes int64, why string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(told.GetAvailableCapacity()).To(gomega.BeNumerically("<", bytes), "available_capacity, though %s", why)
	gomega.Expect(told.GetMaximumVolumeSize().GetValue()).To(gomega.BeNumerically("<", bytes), "maximum_volume_size, though %s", why)
}

// expectRoomFor expects a capacity into which a volume of that many bytes fits.
func expectRoomFor(told *csi.GetCapacityResponse, bytes int64, why string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(told.GetAvailableCapacity()).To(gomega.BeNumerically(">=", bytes), "available_capacity for %s", why)
	gomega.Expect(largestOf(told)).To(gomega.BeNumerically(">=", bytes), "maximum_volume_size for %s", why)
}
