package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with room in only one of the three in requisite, is not made.
func tLT2F(s *harness.Suite) {
	labels := verdict.Case("T-LT-2F", "TR-12", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07", "K8S-C6")
	needs := harness.Needs{Segments: 3, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("fails when only Z4 of Z2, Z3 and Z4 has room for a volume of two topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z2, under.Z3)
		asked := under.Volume(2).Within(under.Z2, under.Z3, under.Z4)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
