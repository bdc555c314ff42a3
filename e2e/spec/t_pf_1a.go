package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of two topologies in requisite, the preferred one is used.
func tPF1a(s *suite) {
	labels := verdict.Case("T-PF-1a", "PF-03", "PF-08")
	s.Case("is accessible from Z3, preferred over Z2", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3), preferred(under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
