package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name is taken for as long as its volume is there.
func nameFreeAfterDeletion(s *harness.Suite) {
	labels := verdict.Case("name_free_after_deletion", "CVE-06", "CR-03")
	needs := harness.Needs{Volumes: 2}
	s.Case("makes another volume of a name whose volume was deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		harness.Need(under.Controller.DeleteVolume(ctx, deletion(under, made(ctx, under, request))))

		request.CapacityRange = &csi.CapacityRange{RequiredBytes: 2 * under.Size()}
		response, err := under.Controller.CreateVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "ALREADY_EXISTS says that there is a volume of the name (CVE-06), and it was deleted")
		fits("capacity_bytes", response.GetVolume().GetCapacityBytes(), request.GetCapacityRange())
	})
}
