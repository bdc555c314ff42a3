package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for one topology, with two in requisite, goes where there is room; without room in either the call fails.
func tLT1F(s *harness.Suite) {
	labels := verdict.Case("T-LT-1F", "TR-11", "TR-12", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Volumes: 4, Exhaustion: true}
	s.Case("is accessible from Z3 when Z2 is full, and fails when Z3 is full as well", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2, under.Z3)

		under.Fill(ctx, under.Z2)
		gomega.Expect(under.CreateVolume(ctx, asked)).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		under.Fill(ctx, under.Z3)
		refused := under.CreateVolume(ctx, asked)
		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
