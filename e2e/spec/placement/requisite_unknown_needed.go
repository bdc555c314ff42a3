package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, of which one does not exist, is not made in the other and a third: x = n needs both.
func requisiteUnknownNeeded(s *harness.Suite) {
	labels := verdict.Case("requisite_unknown_needed", "TR-07", "TR-08", "GEN-12", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 1, Shows: 2, AccessibleFrom: 2, Volumes: 4}
	s.Case("fails when one of the two requisite topologies does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2, nowhere(under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
