package placement

import (
	"context"
	"slices"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// As long as one other topology has room, a volume for two is made in the requisite one and that one; when none has, the
// call fails though the requisite one has room.
func filledXGreaterThanN(s *harness.Suite) {
	labels := verdict.Case("filled_x_greater_than_n", "TR-15", "TR-16", "TR-17", "TR-18", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Shows: 4, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("is accessible from Z2 and another while the others fill up one after another, and then fails", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2)
		for _, zone := range slices.Backward(under.Segments()[1:]) {
			got := under.CreateVolume(ctx, asked)
			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
			under.Fill(ctx, zone)
		}

		refused := under.CreateVolume(ctx, asked)

		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
