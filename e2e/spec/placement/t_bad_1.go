package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A preferred topology that is not in requisite is invalid. To refuse is right; to keep to requisite is a warning;
// to use the preferred one is wrong.
func tBAD1(s *harness.Suite) {
	labels := verdict.Case("T-BAD-1", "TR-04", "PF-04", "GEN-12", "K8S-C14")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("never uses Z3, preferred but not in requisite", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2).Preferring(under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
