package volume

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name is any text without control characters. COs differ in what they send.
func nameInAnyScript(s *harness.Suite) {
	labels := verdict.Case("name_in_any_script", "GEN-12")
	needs := harness.Needs{Volumes: 1}
	s.Case("takes a name of any characters that are allowed", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.Name = under.Name() + " größe/体积\t🖴"
		_, err := under.Controller.CreateVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a value that is not supported is INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
			verdict.Warn("a name is any Unicode string without control characters, and %q was refused: %v", request.GetName(), err)
		}
	})
}
