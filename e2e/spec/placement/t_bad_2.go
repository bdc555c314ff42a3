package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A TopologyRequirement with neither list is invalid: it is refused, or taken as if it were absent.
func tBAD2(s *harness.Suite) {
	labels := verdict.Case("T-BAD-2", "TR-03", "PF-02", "GEN-12", "K8S-C14")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("refuses an empty TopologyRequirement, or takes it as absent", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).WithEmptyRequirement()

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
