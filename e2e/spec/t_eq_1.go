package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for one topology, with one in requisite, is accessible from that one.
func tEQ1(s *suite) {
	labels := verdict.Case("T-EQ-1", "CV-18", "TR-01", "TR-04", "TR-06", "TR-07", "TR-09", "VOL-19")
	s.Case("is accessible from Z2, the one requisite topology", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
