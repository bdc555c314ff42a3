package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without requisite, and without room in the preferred topologies, any possible one is used.
// To refuse is allowed, and a warning.
func tPO2(s *suite) {
	labels := verdict.Case("T-PO-2", "TR-02", "PF-06")
	s.Case("falls back to any topology with room when Z4 and Z2, the preferred topologies, are full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z4, under.Z2)
		asked := under.Volume(accessibleFrom(1), preferred(under.Z4, under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
