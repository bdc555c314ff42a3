package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name for which nothing could be made is free: after a refusal in Z2 it may be asked for in Z3, as a scheduler does
// that has chosen again.
func tID3(s *suite) {
	labels := verdict.Case("T-ID-3", "TR-08", "CV-02", "CV-07", "CVE-08", "GEN-15", "GEN-16")
	s.Case("makes a volume in Z3 under the name that was refused in the full Z2", labels, func(ctx context.Context, under *driver) {
		under.Fill(ctx, under.Z2)
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2))
		refused := under.CreateVolume(ctx, asked)
		gomega.Expect(refused).To(BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(refused).To(LeaveNothingBehind())

		elsewhere := under.Volume(accessibleFrom(1), requisite(under.Z3))
		got := under.CreateVolumeAgain(ctx, refused, elsewhere)
		gomega.Expect(got).To(BeAllowedBy(model.AnswersTo(elsewhere, under.World())))
	})
}
