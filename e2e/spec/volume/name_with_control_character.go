package volume

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Control characters are banned from names. A driver that takes them passes them on to whatever shows the name.
func nameWithControlCharacter(s *harness.Suite) {
	labels := verdict.Case("name_with_control_character", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a name that has a control character", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.Name = under.Name() + "\a"
		_, err := under.Controller.CreateVolume(ctx, request)

		if err == nil {
			verdict.Warn("control characters are banned from names, and %q was taken; an invalid value is INVALID_ARGUMENT (GEN-12)", request.GetName())
			return
		}
		gomega.Expect(err).To(harness.BeRefused("a name that has a control character is INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
	})
}
