package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A TopologyRequirement with neither list is invalid: it is refused, or taken as if it were absent.
func tBAD2(s *suite) {
	labels := verdict.Case("T-BAD-2", "TR-03", "PF-02", "GEN-12")
	s.Case("refuses an empty TopologyRequirement, or takes it as absent", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), emptyRequirement())

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
