package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A negative size is an invalid value, and a range that no driver allows: either code says so.
func sizeNegativeLimit(s *harness.Suite) {
	labels := verdict.Case("size_negative_limit", "CR-06", "CVE-01", "CVE-02", "CVE-11", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a negative limit_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.CapacityRange = &csi.CapacityRange{RequiredBytes: under.Size(), LimitBytes: -under.Size()}

		refuses(ctx, under, request, "limit_bytes is not negative (CR-06)", codes.InvalidArgument, codes.OutOfRange)
	})
}
