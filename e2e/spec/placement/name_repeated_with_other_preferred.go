package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A preference is no condition: a scheduler that has chosen another topology of requisite meanwhile gets the volume that
// there is.
func nameRepeatedWithOtherPreferred(s *harness.Suite) {
	labels := verdict.Case("name_repeated_with_other_preferred", "CV-03", "PF-03")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("answers a name with its volume in Z2 when Z3 is preferred now", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2, under.Z3).Preferring(under.Z2, under.Z3)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		rotated := asked.Preferring(under.Z3, under.Z2)
		again := under.CreateVolumeAgain(ctx, first, rotated)

		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(rotated, under.World(), first.Segments)))
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))
	})
}
