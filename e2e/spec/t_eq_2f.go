package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies of which one has no room is not made in the other alone, nor is space kept there.
func tEQ2F(s *suite) {
	labels := verdict.Case("T-EQ-2F", "TR-08", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	s.Case("fails when Z3, one of two requisite topologies, is full, and leaves nothing in Z2", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z3)
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(LeaveNothingBehind())
	})
}
