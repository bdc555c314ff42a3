package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of the name is there, and is too small for what is asked now.
func nameTakenLarger(s *harness.Suite) {
	labels := verdict.Case("name_taken_larger", "CVE-02", "CVE-06", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a name whose volume is smaller than required_bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		size := known(made(ctx, under, request))

		request.CapacityRange = &csi.CapacityRange{RequiredBytes: size + under.Size()}
		refuses(ctx, under, request, "a volume of the name that is incompatible with capacity_range is ALREADY_EXISTS (CVE-06)", codes.AlreadyExists)
	})
}
