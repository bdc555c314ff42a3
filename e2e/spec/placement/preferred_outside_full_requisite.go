package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When requisite is full, a preferred topology that is not in it is no way out: the request is invalid and impossible.
func preferredOutsideFullRequisite(s *harness.Suite) {
	labels := verdict.Case("preferred_outside_full_requisite", "TR-04", "TR-08", "PF-04", "PF-07", "GEN-15", "GEN-16", "CV-07")
	needs := harness.Needs{Segments: 2, Volumes: 4, Exhaustion: true}
	s.Case("never uses Z3, preferred but not in requisite, even when Z2 is full", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z2)
		asked := under.Volume(1).Within(under.Z2).Preferring(under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
