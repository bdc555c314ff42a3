package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A Topology without segments names nothing. To refuse it is right; to go by the other one of requisite, or to take it for
// any topology at all, is a warning. It is no internal error.
func requisiteEmptyTopology(s *harness.Suite) {
	labels := verdict.Case("requisite_empty_topology", "TR-01", "GEN-12")
	needs := harness.Needs{Segments: 1, Shows: 2, Volumes: 4}
	s.Case("refuses a Topology without segments in requisite, beside one that exists", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(2)
		asked := under.Volume(1).Within(model.Segment{}, zones[len(zones)-1])

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
