package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When neither preferred topology has room, the others in requisite are combined. To refuse is allowed, and a warning.
func tPF3d(s *suite) {
	labels := verdict.Case("T-PF-3d", "PF-05", "PF-14")
	s.Case("falls back to Z2 and Z4 when Z5 and Z3, the preferred topologies, are full", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z5, under.Z3)
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z5, under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
