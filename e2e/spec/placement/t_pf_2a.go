package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The first of the preferred topologies is used.
func tPF2a(s *harness.Suite) {
	labels := verdict.Case("T-PF-2a", "PF-03", "PF-09", "K8S-C10")
	needs := harness.Needs{Segments: 2, Shows: 4, Volumes: 4}
	s.Case("is accessible from Z4, the first preferred topology", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example2(under)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
