package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When the first of the preferred topologies has no room, the second is used.
func tPF2b(s *suite) {
	labels := verdict.Case("T-PF-2b", "PF-03", "PF-09")
	s.Case("falls back to Z2, the second preferred topology, when Z4 is full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z4)
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z4, under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
