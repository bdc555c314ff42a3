package volume

import (
	"context"
	"maps"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where a key is in both, its value in mutable_parameters is the one that counts. A key that may only be in one of them is
// an invalid parameter.
func mutableOverParameters(s *harness.Suite) {
	labels := verdict.Case("mutable_over_parameters", "CV-04", "GEN-12", "GEN-15", "GEN-16")
	s.Case("takes mutable_parameters over parameters", labels, mutableNeeds(), func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		request.MutableParameters = under.Profile().MutableParameters
		request.Parameters = maps.Clone(request.GetParameters())
		if request.Parameters == nil {
			request.Parameters = map[string]string{}
		}
		for key := range request.GetMutableParameters() {
			request.Parameters[key] = "csi-topo-overridden"
		}
		response, err := under.Controller.CreateVolume(ctx, request)

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a key that may only be in mutable_parameters is INVALID_ARGUMENT (GEN-12)", codes.InvalidArgument))
			return
		}
		mutated(ctx, under, response.GetVolume(), "mutable_parameters take precedence over parameters (CV-04)")
	})
}
