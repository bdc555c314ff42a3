package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A topology that preferred names twice is no less preferred than one that is named once. To refuse is a warning.
func preferredRepeated(s *harness.Suite) {
	labels := verdict.Case("preferred_repeated", "PF-03")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4}
	s.Case("uses the first of preferred when it is named twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		last := zones[len(zones)-1]
		asked := under.Volume(1).Within(zones...).Preferring(last, last, under.Z2)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
