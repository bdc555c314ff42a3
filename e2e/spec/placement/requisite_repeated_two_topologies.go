package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with the same one twice in requisite, has that one and a different one: the topologies of a
// volume are unique. A driver that counts both entries has no two unique ones to choose from, and may refuse.
func requisiteRepeatedTwoTopologies(s *harness.Suite) {
	labels := verdict.Case("requisite_repeated_two_topologies", "TR-11", "TR-15", "TR-16")
	needs := harness.Needs{Segments: 2, AccessibleFrom: 2, Volumes: 4}
	s.Case("is accessible from Z3 and one other when requisite names Z3 twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z3, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
