package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When only one topology in requisite has room, a volume for two is not made.
func tPF3e(s *suite) {
	labels := verdict.Case("T-PF-3e", "PF-07", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	s.Case("fails when only Z4 has room for a volume of two topologies", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z5, under.Z3, under.Z2)
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z5, under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(LeaveNothingBehind())
	})
}
