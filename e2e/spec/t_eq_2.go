package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with two in requisite, is accessible from both.
func tEQ2(s *suite) {
	labels := verdict.Case("T-EQ-2", "TR-01", "TR-07", "TR-10", "VOL-15", "VOL-20")
	s.Case("is accessible from Z2 and Z3, the two requisite topologies", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
