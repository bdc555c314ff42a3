package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A preferred topology that is not in requisite is invalid. To refuse is right; to keep to requisite is a warning;
// to use the preferred one is wrong.
func tBAD1(s *suite) {
	labels := verdict.Case("T-BAD-1", "TR-04", "PF-04", "GEN-12")
	s.Case("never uses Z3, preferred but not in requisite", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2), preferred(under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
