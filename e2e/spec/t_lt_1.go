package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for one topology, with two in requisite, is accessible from either.
func tLT1(s *suite) {
	labels := verdict.Case("T-LT-1", "TR-04", "TR-11", "TR-13")
	s.Case("is accessible from Z2 or Z3, one of two requisite topologies", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2, under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
