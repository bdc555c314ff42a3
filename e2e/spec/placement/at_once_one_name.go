package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Calls for one name at the same time make one volume at most: each answers with it, or is turned away with ABORTED while
// another is under way. Afterwards the name has that volume.
func atOnceOneName(s *harness.Suite) {
	labels := verdict.Case("at_once_one_name", "CV-02", "CV-03", "CV-07", "GEN-02", "GEN-03")
	needs := harness.Needs{Segments: 1, Shows: 4, Volumes: 4}
	s.Case("makes one volume of a name that several calls ask for at the same time", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Zones(4)...)
		request := under.CreateVolumeRequest(asked)

		answers := under.CreateVolumesAtOnce(ctx, request, request, request, request)

		for _, got := range made(answers) {
			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
			gomega.Expect(got).To(harness.BeTheSameVolumeAs(made(answers)[0]))
		}
		expectGraceful(answers)
		last := under.CreateVolumeAgain(ctx, answers[0], asked)
		gomega.Expect(last).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		if first := made(answers); len(first) > 0 {
			gomega.Expect(last).To(harness.BeTheSameVolumeAs(first[0]))
		}
	})
}
