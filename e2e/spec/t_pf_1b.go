package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When the preferred topology has no room, the other one in requisite is used. To refuse is allowed, and a warning.
func tPF1b(s *suite) {
	labels := verdict.Case("T-PF-1b", "PF-05", "PF-08")
	s.Case("falls back to Z2 when Z3, the preferred topology, is full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z3)
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3), preferred(under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
