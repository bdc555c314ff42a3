package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name that was used answers with the volume that it made, as long as that volume is accessible from what is asked.
func tID1(s *harness.Suite) {
	labels := verdict.Case("T-ID-1", "CV-02", "CV-03", "CV-07", "VOL-08", "VOL-12")
	needs := harness.Needs{Segments: 1, Shows: 2, Volumes: 4}
	s.Case("answers a repeated name with the same volume, for Z2 again and for Z2 or Z3", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		again := under.CreateVolumeAgain(ctx, first, asked)
		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(asked, under.World(), first.Segments)))
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))

		wider := under.Volume(1).Within(under.Zones(2)...)
		again = under.CreateVolumeAgain(ctx, first, wider)
		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(wider, under.World(), first.Segments)))
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))
	})
}
