package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with no room for the second, is not made in the requisite one alone.
func tGT1F(s *harness.Suite) {
	labels := verdict.Case("T-GT-1F", "TR-17", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07", "K8S-C8")
	needs := harness.Needs{Segments: 2, Shows: 4, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("fails when only Z2, the one requisite topology, has room for a volume of two topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Segments()[1:]...)
		asked := under.Volume(2).Within(under.Z2)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
