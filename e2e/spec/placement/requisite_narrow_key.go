package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a topology with fewer keys than the segments stands for is left open. Kubernetes, which sends them for
// allowedTopologies, means every segment that has them, and the volume must be in one. To refuse is a warning.
func requisiteNarrowKey(s *harness.Suite) {
	labels := verdict.Case("requisite_narrow_key", "TR-01", "TR-04", "K8S-C16")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("is accessible from a segment that has the one key of requisite, the key that tells Z3 from most others", labels, needs, func(ctx context.Context, under *harness.Driver) {
		if len(under.Z2) < 2 {
			verdict.Skip(verdict.ByEnvironment, "the driver's segments have a single key, and the case leaves one of several out: %s", under.Z2)
		}
		asked := under.Volume(1).Within(narrowest(under.Z3, under.Segments()))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
