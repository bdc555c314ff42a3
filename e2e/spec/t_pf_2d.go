package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When no topology in requisite has room, preferred or not, the call fails.
func tPF2d(s *suite) {
	labels := verdict.Case("T-PF-2d", "PF-07", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	s.Case("fails when all requisite topologies are full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z2, under.Z3, under.Z4, under.Z5)
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z4, under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(LeaveNothingBehind())
	})
}
