package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for one topology, with one in requisite, is accessible from that one.
func tEQ1(s *harness.Suite) {
	labels := verdict.Case("T-EQ-1", "CV-18", "TR-01", "TR-04", "TR-06", "TR-07", "TR-09", "VOL-19")
	needs := harness.Needs{Segments: 1, Volumes: 4}
	s.Case("is accessible from Z2, the one requisite topology", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
