package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that exists needs no room: its name is answered with it when its topology is full, as after a lost answer.
func nameRepeatedWhenFull(s *harness.Suite) {
	labels := verdict.Case("name_repeated_when_full", "CV-02", "CV-03")
	needs := harness.Needs{Segments: 1, Volumes: 4, Exhaustion: true}
	s.Case("answers a name with its volume in Z2 when Z2 is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		under.Fill(ctx, under.Z2)

		again := under.CreateVolumeAgain(ctx, first, asked)

		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(asked, under.World(), first.Segments)))
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))
	})
}
