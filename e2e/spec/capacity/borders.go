package capacity

import (
	"context"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// smallest is the minimum_volume_size in bytes of volumes that are accessible from x topologies.
type smallest struct {
	x       int
	minimum int64
}

// minima are those that GetCapacity tells. Without any the case is skipped.
func minima(ctx context.Context, under *harness.Driver) []smallest {
	var told []smallest
	for _, x := range kinds(under) {
		if minimum := tell(ctx, under, requestFor(under, x, under.Z2)).GetMinimumVolumeSize(); minimum.GetValue() > 0 {
			told = append(told, smallest{x, minimum.GetValue()})
		}
	}
	if len(told) == 0 {
		verdict.Skip(verdict.ByCapability, "GetCapacity tells no minimum_volume_size, which is OPTIONAL (CAP-22)")
	}
	return told
}

// tooLarge reports whether the code says that a volume is larger than any may be, or than there is room for.
func tooLarge(code codes.Code) bool {
	return code == codes.OutOfRange || code == codes.ResourceExhausted
}

// expectTooLarge expects the refusal of a volume of a byte more than the maximum.
func expectTooLarge(answer harness.Answer, maximum int64) {
	ginkgo.GinkgoHelper()
	gomega.Expect(tooLarge(answer.Code)).To(gomega.BeTrue(),
		"maximum_volume_size is %d, and a volume of a byte more is OUT_OF_RANGE (CVE-11) or RESOURCE_EXHAUSTED (CVE-08), for that is the largest (CAP-14); got: %s",
		maximum, answer)
	gomega.Expect(answer).To(harness.LeaveNothingBehind())
}
