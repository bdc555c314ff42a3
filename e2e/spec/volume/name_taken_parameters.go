package volume

import (
	"context"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of the name is there, and is of another kind than the parameters ask for now.
func nameTakenParameters(s *harness.Suite) {
	labels := verdict.Case("name_taken_parameters", "CVE-02", "CVE-06", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, Segments: 2, AccessibleFrom: 2}
	s.Case("refuses a name whose volume has other parameters", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(2)...)) // enough for either kind
		made(ctx, under, request)

		request.Parameters = under.CreateVolumeRequest(under.Volume(2)).GetParameters()
		refuses(ctx, under, request, "a volume of the name that is incompatible with parameters is ALREADY_EXISTS (CVE-06)", codes.AlreadyExists)
	})
}
