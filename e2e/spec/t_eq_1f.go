package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that cannot be made available in the one requisite topology is not made elsewhere: the call fails.
func tEQ1F(s *suite) {
	labels := verdict.Case("T-EQ-1F", "TR-08", "CVE-01", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	s.Case("fails when Z2, the one requisite topology, is full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z2)
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(LeaveNothingBehind())
	})
}
