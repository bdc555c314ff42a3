package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of values nothing says that they are case-insensitive, and Kubernetes compares them by letter case: one in another case is
// a topology that does not exist. A driver that uses the segment all the same is warned; any other segment is wrong.
func requisiteValueInOtherCase(s *harness.Suite) {
	labels := verdict.Case("requisite_value_in_other_case", "TR-04", "TR-08", "CVE-08", "GEN-12")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("refuses Z3 when requisite has its values in another letter case", labels, needs, func(ctx context.Context, under *harness.Driver) {
		other := valuesInOtherCase(under.Z3)
		if under.Segments().Contains(other) {
			verdict.Skip(verdict.ByEnvironment, "values in another letter case make no other topology of %s, or one that exists", under.Z3)
		}
		asked := under.Volume(1).Within(other)

		got := under.CreateVolume(ctx, asked)

		if got.Segments.Equal(model.Set{under.Z3}) {
			verdict.Warn("%s was asked for, and the volume is accessible from %s: nothing says that values are case-insensitive (TR-04)", other, under.Z3)
			return
		}
		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
