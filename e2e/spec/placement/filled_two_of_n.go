package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// As long as two topologies of requisite have room, a volume for two is made there; when only one has, the call fails.
func filledTwoOfN(s *harness.Suite) {
	labels := verdict.Case("filled_two_of_n", "TR-11", "TR-12", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 3, Shows: 4, AccessibleFrom: 2, Volumes: 4, Exhaustion: true}
	s.Case("goes where there is room for two while the topologies of requisite fill up one after another, and then fails", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		asked := under.Volume(2).Within(zones...)
		for _, zone := range zones[:len(zones)-2] {
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
