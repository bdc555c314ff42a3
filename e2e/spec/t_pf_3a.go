package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies is accessible from the two preferred ones.
func tPF3a(s *suite) {
	labels := verdict.Case("T-PF-3a", "PF-03", "PF-11")
	s.Case("is accessible from Z5 and Z3, the two preferred topologies", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(2), requisite(under.Z2, under.Z3, under.Z4, under.Z5), preferred(under.Z5, under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
