package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is compatible with a request that does not say where it should be.
func nameRepeatedWithoutRequirement(s *harness.Suite) {
	labels := verdict.Case("name_repeated_without_requirement", "CV-03", "CV-21")
	needs := harness.Needs{Segments: 1, Shows: 2, Volumes: 4}
	s.Case("answers a name with its volume when there is no requirement any more", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(2)
		asked := under.Volume(1).Within(zones[len(zones)-1])
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		free := under.Volume(1)
		again := under.CreateVolumeAgain(ctx, first, free)

		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(free, under.World(), first.Segments)))
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))
	})
}
