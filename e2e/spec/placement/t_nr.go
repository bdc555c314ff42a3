package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without a TopologyRequirement the driver chooses, and still says where the volume is accessible from.
func tNR(s *harness.Suite) {
	labels := verdict.Case("T-NR", "CV-21", "CV-23", "PF-01", "TR-06", "K8S-C13")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("is accessible from topologies that exist when none is asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
