package placement

import (
	"context"
	"slices"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// However often and in whatever order the same topologies are asked for again, the answer is the same volume.
func nameRepeatedInOtherWords(s *harness.Suite) {
	labels := verdict.Case("name_repeated_in_other_words", "CV-02", "CV-03", "CV-07", "VOL-08", "VOL-12")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4}
	s.Case("answers a name with the same volume each time, in whatever order requisite names the topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		asked := under.Volume(1).Within(zones...)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		for i := range zones {
			again := under.Volume(1).Within(slices.Concat(zones[i:], zones[:i])...)
			got := under.CreateVolumeAgain(ctx, first, again)
			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersToRepeat(again, under.World(), first.Segments)))
			gomega.Expect(got).To(harness.BeTheSameVolumeAs(first))
		}
	})
}
