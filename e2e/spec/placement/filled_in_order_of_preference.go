package placement

import (
	"context"
	"slices"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Each time the first of preferred is full the next one is used, and when the last is full the call fails.
func filledInOrderOfPreference(s *harness.Suite) {
	labels := verdict.Case("filled_in_order_of_preference", "PF-03", "PF-07", "CVE-02", "CVE-08", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4, Exhaustion: true}
	s.Case("follows preferred from first to last while its topologies fill up one after another, and then fails", labels, needs, func(ctx context.Context, under *harness.Driver) {
		zones := under.Zones(4)
		slices.Reverse(zones)
		asked := under.Volume(1).Within(zones...).Preferring(zones...)
		for _, zone := range zones {
			got := under.CreateVolume(ctx, asked)
			gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
			under.Fill(ctx, zone)
		}

		refused := under.CreateVolume(ctx, asked)

		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
