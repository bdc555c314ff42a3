package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// No volume has both more than limit_bytes and at most that. It is an invalid range, and one that no driver allows: either
// code says so.
func sizeLimitBelowRequired(s *harness.Suite) {
	labels := verdict.Case("size_limit_below_required", "CR-03", "CR-05", "CV-11", "CVE-01", "CVE-02", "CVE-11", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a limit_bytes below required_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.CapacityRange = &csi.CapacityRange{RequiredBytes: under.Size(), LimitBytes: under.Size() - 1}

		refuses(ctx, under, request, "no size is both required_bytes and limit_bytes (CR-03, CR-05)", codes.InvalidArgument, codes.OutOfRange)
	})
}
