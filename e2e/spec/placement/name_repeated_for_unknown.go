package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is not accessible from a topology that does not exist: the name is refused, as taken or because of the topology.
func nameRepeatedForUnknown(s *harness.Suite) {
	labels := verdict.Case("name_repeated_for_unknown", "CVE-06", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("refuses a name for a topology that no node reports", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		absent := under.Volume(1).Within(nowhere(under.Z2))
		refused := under.CreateVolumeAgain(ctx, first, absent)

		gomega.Expect(refused).To(harness.BeAllowedBy(model.AnswersToRepeat(absent, under.World(), first.Segments)))
		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
