package volume

import (
	"context"
	"math"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An exbibyte is more than storage has, and the largest size that the protocol can name more than any. It is a range
// that is not allowed, or one that there is no room for: the specification does not tell the two apart where topology
// is not the reason. Either way the status has a message that says more.
func sizeTooLarge(s *harness.Suite) {
	labels := verdict.Case("size_too_large", "CV-07", "CVE-01", "CVE-02", "CVE-09", "CVE-11", "GEN-09", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("refuses a volume larger than all storage", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const exbibyte = 1 << 60
		for _, bytes := range []int64{exbibyte, math.MaxInt64} {
			request := creation(under)
			request.CapacityRange = &csi.CapacityRange{RequiredBytes: bytes}

			refuses(ctx, under, request, "a size that cannot be had is OUT_OF_RANGE (CVE-11) or RESOURCE_EXHAUSTED (CVE-08)", codes.OutOfRange, codes.ResourceExhausted)
		}
	})
}
