package volume

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What may change during a volume's life may be said when it begins, too. The same call again is the same volume.
func mutableAtCreation(s *harness.Suite) {
	labels := verdict.Case("mutable_at_creation", "CV-02", "CV-04")
	s.Case("makes a volume that has the mutable_parameters", labels, mutableNeeds(), func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.MutableParameters = under.Profile().MutableParameters
		response, err := under.Controller.CreateVolume(ctx, request)

		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "mutable_parameters are of CreateVolume where MODIFY_VOLUME is claimed (CV-04)")
		mutated(ctx, under, response.GetVolume(), "a volume has its mutable_parameters (CV-04)")
		remains(ctx, under, request, response.GetVolume(), "CreateVolume is idempotent (CV-02)")
	})
}
