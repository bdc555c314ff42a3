package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When no preferred topology has room, another one in requisite is used. To refuse is allowed, and a warning.
func tPF2c(s *suite) {
	labels := verdict.Case("T-PF-2c", "PF-05", "PF-09", "PF-10")
	s.Case("falls back to Z3 or Z5 when Z4 and Z2, the preferred topologies, are full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z4, under.Z2)
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z4, under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
