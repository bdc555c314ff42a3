package volume

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name of more than 128 bytes is a CO's mistake. A driver that takes it hides the mistake, and must not pass it on.
func nameTooLong(s *harness.Suite) {
	labels := verdict.Case("name_too_long", "GEN-04", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a name of 129 bytes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.Name = nameOf(under, longest+1)
		response, err := under.Controller.CreateVolume(ctx, request)

		if err == nil {
			gomega.Expect(len(response.GetVolume().GetVolumeId())).To(gomega.BeNumerically("<=", longest), "volume_id has 128 bytes at most (GEN-04)")
			verdict.Warn("a name has 128 bytes at most (GEN-04), and one of 129 was taken")
			return
		}
		gomega.Expect(err).To(harness.BeRefused("a name that is too long is INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
	})
}
