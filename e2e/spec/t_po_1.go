package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without requisite, the first of the preferred topologies is used all the same.
func tPO1(s *suite) {
	labels := verdict.Case("T-PO-1", "TR-02", "PF-03")
	s.Case("is accessible from Z4, the first preferred topology", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), preferred(under.Z4, under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
