package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without a TopologyRequirement the driver chooses, and still says where the volume is accessible from.
func tNR(s *suite) {
	labels := verdict.Case("T-NR", "CV-21", "CV-23", "PF-01", "TR-06")
	s.Case("is accessible from topologies that exist when none is asked for", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
