package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A value is not empty: a topology with an empty one is invalid, and no volume is made for it.
func requisiteEmptyValue(s *harness.Suite) {
	labels := verdict.Case("requisite_empty_value", "TO-09", "TR-08", "GEN-12", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("refuses a requisite topology whose values are empty", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(withValues(under.Z2, ""))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
