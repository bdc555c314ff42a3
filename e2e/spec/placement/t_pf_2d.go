package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When no topology in requisite has room, preferred or not, the call fails.
func tPF2d(s *harness.Suite) {
	labels := verdict.Case("T-PF-2d", "PF-07", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4, Exhaustion: true}
	s.Case("fails when all requisite topologies are full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example2(under)
		under.Fill(ctx, asked.Requisite...)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
