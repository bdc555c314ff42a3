package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with two in requisite, is accessible from both.
func tEQ2(s *harness.Suite) {
	labels := verdict.Case("T-EQ-2", "TR-01", "TR-07", "TR-10", "VOL-15", "VOL-20")
	needs := harness.Needs{Segments: 2, AccessibleFrom: 2, Volumes: 4}
	s.Case("is accessible from Z2 and Z3, the two requisite topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
