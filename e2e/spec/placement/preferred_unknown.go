package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A preferred topology that does not exist is not possible, and the next one is attempted. To refuse is a warning.
func preferredUnknown(s *harness.Suite) {
	labels := verdict.Case("preferred_unknown", "PF-03", "GEN-12")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("uses Z3, the second of preferred, when the first does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		absent := nowhere(under.Z2)
		asked := under.Volume(1).Within(under.Z2, under.Z3, absent).Preferring(absent, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
