package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When the preferred topology has no room, the other one in requisite is used. To refuse is allowed, and a warning.
func tPF1b(s *harness.Suite) {
	labels := verdict.Case("T-PF-1b", "PF-05", "PF-08")
	needs := harness.Needs{Segments: 2, Volumes: 4, Exhaustion: true}
	s.Case("falls back to Z2 when Z3, the preferred topology, is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z3)
		asked := under.Volume(1).Within(under.Z2, under.Z3).Preferring(under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
