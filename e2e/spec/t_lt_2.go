package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with three in requisite, is accessible from any two different ones of them.
func tLT2(s *suite) {
	labels := verdict.Case("T-LT-2", "TR-11", "TR-14", "VOL-15")
	s.Case("is accessible from two unique topologies of Z2, Z3 and Z4", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3, under.Z4))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
