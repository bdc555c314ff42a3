package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The first of the preferred topologies is used.
func tPF2a(s *suite) {
	labels := verdict.Case("T-PF-2a", "PF-03", "PF-09")
	s.Case("is accessible from Z4, the first preferred topology", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z4, under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
