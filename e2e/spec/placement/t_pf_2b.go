package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When the first of the preferred topologies has no room, the second is used.
func tPF2b(s *harness.Suite) {
	labels := verdict.Case("T-PF-2b", "PF-03", "PF-09")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4, Exhaustion: true}
	s.Case("falls back to Z2, the second preferred topology, when Z4 is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example2(under)
		under.Fill(ctx, asked.Preferred[0])

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
