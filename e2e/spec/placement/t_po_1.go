package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without requisite, the first of the preferred topologies is used all the same.
func tPO1(s *harness.Suite) {
	labels := verdict.Case("T-PO-1", "TR-02", "PF-03", "K8S-C12")
	needs := harness.Needs{Segments: 2, Shows: 3, Volumes: 4}
	s.Case("is accessible from Z4, the first preferred topology", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := preferredOnly(under)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
