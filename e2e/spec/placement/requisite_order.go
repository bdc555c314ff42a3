package placement

import (
	"context"
	"slices"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The order of requisite means nothing: wherever in the list the one topology with room is, it is used.
func requisiteOrder(s *harness.Suite) {
	labels := verdict.Case("requisite_order", "TR-01", "TR-11")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4, Exhaustion: true}
	s.Case("is accessible from the last topology with room, in whatever order requisite names them", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		under.Fill(ctx, zones[:len(zones)-1]...)
		for i := range zones {
			asked := under.Volume(1).Within(slices.Concat(zones[i:], zones[:i])...)

			got := under.CreateVolume(ctx, asked)

			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		}
	})
}
