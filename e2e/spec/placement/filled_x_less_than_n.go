package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// As long as one topology of requisite has room, a volume for one is made there; when none has, the call fails.
func filledXLessThanN(s *harness.Suite) {
	labels := verdict.Case("filled_x_less_than_n", "TR-11", "TR-12", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4, Exhaustion: true}
	s.Case("goes where there is room while the topologies of requisite fill up one after another, and then fails", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		asked := under.Volume(1).Within(zones...)
		for _, zone := range zones[:len(zones)-1] {
			under.Fill(ctx, zone)

			got := under.CreateVolume(ctx, asked)

			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		}
		under.Fill(ctx, zones[len(zones)-1])

		refused := under.CreateVolume(ctx, asked)

		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
