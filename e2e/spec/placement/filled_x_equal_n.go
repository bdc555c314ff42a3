package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for both topologies of requisite fails when the first is full, as when the second is, and when both are; nothing
// is kept in the other one.
func filledXEqualN(s *harness.Suite) {
	labels := verdict.Case("filled_x_equal_n", "TR-07", "TR-08", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("fails for Z2 and Z3 when Z2 is full, and when both are", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2, under.Z3)
		for _, zone := range []model.Segment{under.Z2, under.Z3} {
			under.Fill(ctx, zone)

			refused := under.CreateVolume(ctx, asked)

			gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
			gomega.Expect(refused).To(harness.LeaveNothingBehind())
		}
	})
}
