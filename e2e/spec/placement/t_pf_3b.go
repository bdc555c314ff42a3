package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When the second preferred topology has no room, the first is combined with another one in requisite.
// To refuse is allowed, and a warning.
func tPF3b(s *harness.Suite) {
	labels := verdict.Case("T-PF-3b", "PF-03", "PF-12")
	needs := harness.Needs{Segments: 3, Shows: 4, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("falls back to Z5 and one of Z2 and Z4 when Z3 is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example3(under)
		under.Fill(ctx, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
