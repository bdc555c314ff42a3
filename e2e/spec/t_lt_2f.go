package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with room in only one of the three in requisite, is not made.
func tLT2F(s *suite) {
	labels := verdict.Case("T-LT-2F", "TR-12", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	s.Case("fails when only Z4 of Z2, Z3 and Z4 has room for a volume of two topologies", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z2, under.Z3)
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3, under.Z4))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(LeaveNothingBehind())
	})
}
