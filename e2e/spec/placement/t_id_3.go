package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name for which nothing could be made is free: after a refusal in Z2 it may be asked for in Z3, as a scheduler does
// that has chosen again.
func tID3(s *harness.Suite) {
	labels := verdict.Case("T-ID-3", "TR-08", "CV-02", "CV-07", "CVE-08", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 2, Volumes: 4, Exhaustion: true}
	s.Case("makes a volume in Z3 under the name that was refused in the full Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		under.Fill(ctx, under.Z2)
		asked := under.Volume(1).Within(under.Z2)
		refused := under.CreateVolume(ctx, asked)
		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())

		elsewhere := under.Volume(1).Within(under.Z3)
		got := under.CreateVolumeAgain(ctx, refused, elsewhere)
		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(elsewhere, under.World())))
	})
}
