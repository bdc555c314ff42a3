package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What is asked now is not what was asked then, and the volume of the name satisfies it all the same.
func nameTakenCompatible(s *harness.Suite) {
	labels := verdict.Case("name_taken_compatible", "CV-02", "CVE-06")
	needs := harness.Needs{Volumes: 1}
	s.Case("answers with the volume of the name when its size is in another range", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		volume := made(ctx, under, request)
		size := known(volume)

		request.CapacityRange = &csi.CapacityRange{RequiredBytes: under.Size(), LimitBytes: size + under.Size()}
		remains(ctx, under, request, volume, "a volume of the name that is compatible with capacity_range is the answer (CV-02)")
	})
}
