package placement

import (
	"context"
	"slices"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Kubernetes sends the same topologies in both lists, preferred in another order: the first of it is used.
func preferredRotated(s *harness.Suite) {
	labels := verdict.Case("preferred_rotated", "PF-03", "PF-04")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4}
	s.Case("uses the first of preferred when it has all of requisite, in another order", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		first := len(zones) / 2
		asked := under.Volume(1).Within(zones...).Preferring(slices.Concat(zones[first:], zones[:first])...)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
