package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that cannot be made available in the one requisite topology is not made elsewhere: the call fails.
func tEQ1F(s *harness.Suite) {
	labels := verdict.Case("T-EQ-1F", "TR-08", "CVE-01", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 1, Volumes: 4, Exhaustion: true}
	s.Case("fails when Z2, the one requisite topology, is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z2)
		asked := under.Volume(1).Within(under.Z2)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
