package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume in two topologies is accessible from each of them, and so the answer to either.
func nameRepeatedWithOneOfTwo(s *harness.Suite) {
	labels := verdict.Case("name_repeated_with_one_of_two", "CV-03", "TR-15")
	needs := harness.Needs{Segments: 2, AccessibleFrom: 2, Volumes: 4}
	s.Case("answers a name with its volume in Z2 and Z3 when only Z3 is asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2, under.Z3)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		one := under.Volume(2).Within(under.Z3)
		again := under.CreateVolumeAgain(ctx, first, one)

		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(one, under.World(), first.Segments)))
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))
	})
}
