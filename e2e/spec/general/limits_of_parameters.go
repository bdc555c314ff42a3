package general

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Parameters of more than 4 KiB are a CO's mistake. A driver that takes them hides it: they are of a name that it cannot
// know.
func limitsOfParameters(s *harness.Suite) {
	labels := verdict.Case("limits_of_parameters", "GEN-04", "GEN-12", "GEN-15", "GEN-16")
	s.Case("refuses parameters of more than 4 KiB", labels, claiming(), func(ctx context.Context, under *harness.Driver) {
		request := under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(1)...))
		request.Parameters = maps.Clone(request.GetParameters())
		if request.Parameters == nil {
			request.Parameters = map[string]string{}
		}
		for i := range mapBytes/stringBytes + 1 {
			request.Parameters[fmt.Sprintf("csi-topo-%d", i)] = strings.Repeat("p", stringBytes)
		}
		_, err := under.Controller.CreateVolume(ctx, request)

		if err == nil {
			verdict.Warn("parameters have 4 KiB at most (GEN-04), and more of them, none of which the driver can know, were taken")
			return
		}
		gomega.Expect(err).To(harness.BeRefused("parameters that are too large, or not known, are INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
	})
}
