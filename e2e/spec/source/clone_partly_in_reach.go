package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// With one of two topologies in the source's reach, the volume must not fail for the other one's sake: not when they
// are requisite, and not when the one out of reach is preferred, as it is half of the time in Kubernetes. Not to fall
// back from preferred is allowed, and a warning.
func clonePartlyInReach(s *harness.Suite) {
	labels := verdict.Case("clone_partly_in_reach", "CS-02", "CV-18", "TR-11", "PF-05")
	needs := clones()
	needs.Segments, needs.Volumes = 2, 4
	s.Case("clones a volume when Z3 or Z2 will do and its source is in Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		source := harness.FromVolume(volume.GetVolumeId())

		either := under.Volume(1).Within(under.Z3, under.Z2)
		got := under.CreateVolumeFrom(ctx, source, either)
		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(either, under.World())))

		// Which of them is the best depends on the source, of which the oracle knows nothing.
		got = under.CreateVolumeFrom(ctx, source, either.Preferring(under.Z3, under.Z2))
		if got.Code == codes.ResourceExhausted {
			verdict.Warn("Z2, where the source is, is in requisite and second in preferred, and is not fallen back to (PF-05)\ngot: %s", got)
			return
		}
		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(either, under.World())))
	})
}
