package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Each of the driver's topologies can be asked for, and the volume is in that one: known, with all its keys, and named once.
func requisiteEverySegment(s *harness.Suite) {
	labels := verdict.Case("requisite_every_segment", "CV-18", "TR-01", "TR-04", "TR-07", "VOL-19")
	needs := harness.Needs{Segments: 1, Shows: 4, Volumes: 4}
	s.Case("is accessible from each topology that it is asked for", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, zone := range under.Zones(4) {
			asked := under.Volume(1).Within(zone)

			got := under.CreateVolume(ctx, asked)

			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		}
	})
}
