package capacity

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// There is no capacity for parameters that no volume can be made with, as CreateVolume's refusal shows: 0, or
// INVALID_ARGUMENT. A driver may pass over parameters that it does not know.
func capacityForRefusedParameters(s *harness.Suite) {
	labels := verdict.Case("capacity_for_refused_parameters", "CAP-04", "CAP-11", "CAP-26", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, TrackedCapacity: true}
	s.Case("tells no capacity for parameters that CreateVolume refuses", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateVolumeRequest(in(under.Volume(1), under.Z2))
		request.Parameters = with(request.GetParameters(), "csi-topo-no-such-parameter", "csi-topo")
		if _, err := under.Controller.CreateVolume(ctx, request); err == nil {
			verdict.Skip(verdict.ByCapability, "CreateVolume takes parameters that it cannot know")
		}
		asked := under.CapacityRequest(under.Z2)
		asked.Parameters = request.GetParameters()

		response, err := under.Controller.GetCapacity(ctx, asked)
		expectNone(response, err, "CreateVolume refuses these parameters (CAP-04)")
	})
}
