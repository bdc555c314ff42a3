package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies of which one has no room is not made in the other alone, nor is space kept there.
func tEQ2F(s *harness.Suite) {
	labels := verdict.Case("T-EQ-2F", "TR-08", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("fails when Z3, one of two requisite topologies, is full, and leaves nothing in Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z3)
		asked := under.Volume(2).Within(under.Z2, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
