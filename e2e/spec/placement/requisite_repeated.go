package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A topology that requisite names twice is still the only one: how it counts is left open, where the volume goes is not.
// To refuse the repetition is a warning.
func requisiteRepeated(s *harness.Suite) {
	labels := verdict.Case("requisite_repeated", "TR-01", "TR-04")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("is accessible from Z3 when requisite names it twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z3, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
