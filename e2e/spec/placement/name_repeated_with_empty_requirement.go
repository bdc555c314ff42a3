package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A requirement with neither list is invalid for a name that exists as for a new one: it is refused, or taken as absent.
func nameRepeatedWithEmptyRequirement(s *harness.Suite) {
	labels := verdict.Case("name_repeated_with_empty_requirement", "TR-03", "CV-03")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("refuses an empty TopologyRequirement for a name that exists, or answers with its volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		empty := under.Volume(1).WithEmptyRequirement()
		again := under.CreateVolumeAgain(ctx, first, empty)

		gomega.Expect(again).To(harness.BeAllowedBy(model.AnswersToRepeat(empty, under.World(), first.Segments)))
	})
}
