package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with one in requisite, is accessible from that one and any other that exists.
func tGT1(s *harness.Suite) {
	labels := verdict.Case("T-GT-1", "TR-15", "TR-16", "TR-18", "VOL-15")
	needs := harness.Needs{Segments: 1, Shows: 2, AccessibleFrom: 2, Volumes: 4}
	s.Case("is accessible from Z2, the one requisite topology, and from one other", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
