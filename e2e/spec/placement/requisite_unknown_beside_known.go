package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A topology that does not exist counts as one that is not possible: where x < n, another one of requisite is chosen. To
// refuse the whole requirement as unsupported is a warning.
func requisiteUnknownBesideKnown(s *harness.Suite) {
	labels := verdict.Case("requisite_unknown_beside_known", "TR-11", "GEN-12")
	needs := harness.Needs{Segments: 1, Shows: 2, Volumes: 4}
	s.Case("is accessible from the one topology of requisite that exists", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(2)
		asked := under.Volume(1).Within(nowhere(under.Z2), zones[len(zones)-1])

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
