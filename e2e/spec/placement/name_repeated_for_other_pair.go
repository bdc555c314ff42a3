package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume in one of the two topologies that are asked for now is not in both, and x = n needs both: the name is refused.
func nameRepeatedForOtherPair(s *harness.Suite) {
	labels := verdict.Case("name_repeated_for_other_pair", "CVE-02", "CVE-06", "TR-07", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 3, AccessibleFrom: 2, Volumes: 4}
	s.Case("refuses a name for Z3 and Z4 when its volume is in Z2 and Z3", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2, under.Z3)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		pair := under.Volume(2).Within(under.Z3, under.Z4)
		refused := under.CreateVolumeAgain(ctx, first, pair)

		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersToRepeat(pair, under.World(), first.Segments)))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
