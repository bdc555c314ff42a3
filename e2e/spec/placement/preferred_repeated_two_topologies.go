package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies takes two different ones of preferred, whichever of them is named twice.
func preferredRepeatedTwoTopologies(s *harness.Suite) {
	labels := verdict.Case("preferred_repeated_two_topologies", "PF-03", "TR-11")
	needs := harness.Needs{Segments: 3, Shows: 4, AccessibleFrom: 2, Volumes: 4}
	s.Case("uses the first two unique topologies of preferred when the first is named twice", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		last := zones[len(zones)-1]
		asked := under.Volume(2).Within(zones...).Preferring(last, last, under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
