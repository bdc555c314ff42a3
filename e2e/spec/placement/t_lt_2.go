package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume for two topologies, with three in requisite, is accessible from any two different ones of them.
func tLT2(s *harness.Suite) {
	labels := verdict.Case("T-LT-2", "TR-11", "TR-14", "VOL-15", "K8S-C5")
	needs := harness.Needs{Segments: 3, AccessibleFrom: 2, Volumes: 4}
	s.Case("is accessible from two unique topologies of Z2, Z3 and Z4", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(2).Within(under.Z2, under.Z3, under.Z4)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
