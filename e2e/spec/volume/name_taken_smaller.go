package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of the name is there, and is too large for what is asked now. A limit below what the driver can make at all may
// be refused for that.
func nameTakenSmaller(s *harness.Suite) {
	labels := verdict.Case("name_taken_smaller", "CVE-02", "CVE-06", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a name whose volume is larger than limit_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		size := known(made(ctx, under, request))

		request.CapacityRange = &csi.CapacityRange{LimitBytes: size - 1}
		refuses(ctx, under, request, "a volume of the name that is incompatible with capacity_range is ALREADY_EXISTS (CVE-06)", codes.AlreadyExists, codes.OutOfRange)
	})
}
