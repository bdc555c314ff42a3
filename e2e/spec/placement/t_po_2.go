package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without requisite, and without room in the preferred topologies, any possible one is used.
// To refuse is allowed, and a warning.
func tPO2(s *harness.Suite) {
	labels := verdict.Case("T-PO-2", "TR-02", "PF-06")
	needs := harness.Needs{Segments: 2, Shows: 3, Volumes: 4, Exhaustion: true}
	s.Case("falls back to any topology with room when Z4 and Z2, the preferred topologies, are full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := preferredOnly(under)
		under.Fill(ctx, asked.Preferred...)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
