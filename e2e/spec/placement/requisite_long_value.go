package placement

import (
	"context"
	"strings"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A value has at most 63 characters, and any field of a request at most 128 bytes: what is longer is invalid, and no volume
// is made for it.
func requisiteLongValue(s *harness.Suite) {
	labels := verdict.Case("requisite_long_value", "TO-10", "TR-08", "GEN-04", "GEN-12", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("refuses a requisite topology whose values are longer than any may be", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const tooLong = 129
		asked := under.Volume(1).Within(withValues(under.Z2, strings.Repeat("z", tooLong)))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
