package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies is accessible from the two preferred ones.
func tPF3a(s *harness.Suite) {
	labels := verdict.Case("T-PF-3a", "PF-03", "PF-11", "K8S-C11")
	needs := harness.Needs{Segments: 3, Shows: 4, AccessibleFrom: 2, Volumes: 4}
	s.Case("is accessible from Z5 and Z3, the two preferred topologies", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := example3(under)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
