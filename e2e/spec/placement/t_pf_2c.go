package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When no preferred topology has room, another one in requisite is used. To refuse is allowed, and a warning.
func tPF2c(s *harness.Suite) {
	labels := verdict.Case("T-PF-2c", "PF-05", "PF-09", "PF-10")
	needs := harness.Needs{Segments: 3, Shows: 4, Volumes: 4, Exhaustion: true}
	s.Case("falls back to Z3 or Z5 when Z4 and Z2, the preferred topologies, are full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example2(under)
		under.Fill(ctx, asked.Preferred...)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
