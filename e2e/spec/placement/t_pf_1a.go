package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of two topologies in requisite, the preferred one is used.
func tPF1a(s *harness.Suite) {
	labels := verdict.Case("T-PF-1a", "PF-03", "PF-08", "K8S-C9")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("is accessible from Z3, preferred over Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2, under.Z3).Preferring(under.Z3)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
