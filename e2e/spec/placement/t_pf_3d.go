package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When neither preferred topology has room, the others in requisite are combined. To refuse is allowed, and a warning.
func tPF3d(s *harness.Suite) {
	labels := verdict.Case("T-PF-3d", "PF-05", "PF-14")
	needs := harness.Needs{Segments: 4, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("falls back to Z2 and Z4 when Z5 and Z3, the preferred topologies, are full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example3(under)
		under.Fill(ctx, asked.Preferred...)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
