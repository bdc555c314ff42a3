package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for a topology that does not exist is refused, never made elsewhere.
func tBAD3(s *harness.Suite) {
	labels := verdict.Case("T-BAD-3", "TR-08", "CVE-08", "GEN-12", "K8S-C15")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("fails for a topology that no node reports", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(nowhere(under.Z2))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
