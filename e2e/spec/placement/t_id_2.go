package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name that was used for a volume which is not accessible from what is asked is refused.
func tID2(s *harness.Suite) {
	labels := verdict.Case("T-ID-2", "CVE-02", "CVE-06", "GEN-15", "GEN-16", "K8S-B12")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("refuses a repeated name for Z3 when its volume is in Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		elsewhere := under.Volume(1).Within(under.Z3)
		refused := under.CreateVolumeAgain(ctx, first, elsewhere)
		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersToRepeat(elsewhere, under.World(), first.Segments)))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
