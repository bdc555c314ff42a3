package volume

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// There is nothing to change of a volume that there is not.
func modifyUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("modify_unknown_volume", "MV-05", "GEN-15", "GEN-16")
	s.Case("does not find a volume that was deleted", labels, mutableNeeds(), func(ctx context.Context, under *harness.Driver) {
		_, err := under.Controller.ControllerModifyVolume(ctx, modification(under, under.DeletedVolume(ctx)))

		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND (MV-05)", codes.NotFound))
	})
}
