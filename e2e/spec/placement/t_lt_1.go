package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for one topology, with two in requisite, is accessible from either.
func tLT1(s *harness.Suite) {
	labels := verdict.Case("T-LT-1", "TR-04", "TR-11", "TR-13")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("is accessible from Z2 or Z3, one of two requisite topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
