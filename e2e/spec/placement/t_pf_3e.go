package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When only one topology in requisite has room, a volume for two is not made.
func tPF3e(s *harness.Suite) {
	labels := verdict.Case("T-PF-3e", "PF-07", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Shows: 4, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("fails when only Z4 has room for a volume of two topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example3(under)
		left := others(asked)
		under.Fill(ctx, asked.Preferred...)
		under.Fill(ctx, left[:len(left)-1]...)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
