package spec

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name that was used for a volume which is not accessible from what is asked is refused.
func tID2(s *suite) {
	labels := verdict.Case("T-ID-2", "CVE-02", "CVE-06", "GEN-15", "GEN-16")
	s.Case("refuses a repeated name for Z3 when its volume is in Z2", labels, func(ctx context.Context, under *driver) {
		asked := under.Volume(accessibleFrom(1), requisite(under.Z2))
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(BeAllowedBy(model.AnswersTo(asked, under.World())))

		elsewhere := under.Volume(accessibleFrom(1), requisite(under.Z3))
		refused := under.CreateVolumeAgain(ctx, first, elsewhere)
		gomega.Expect(refused).To(BeAllowedBy(model.AnswersToRepeat(elsewhere, under.World(), first.Segments)))
		gomega.Expect(refused).To(LeaveNothingBehind())
	})
}
