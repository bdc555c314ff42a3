package placement

import (
	"context"
	"maps"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A key has a name: a topology with an empty key is invalid. A driver that passes over the key is warned, and one that uses
// another segment is wrong.
func requisiteEmptyKey(s *harness.Suite) {
	labels := verdict.Case("requisite_empty_key", "TO-02", "TR-04", "GEN-12")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("refuses Z3 with an empty key, and never uses another segment", labels, needs, func(ctx context.Context, under *harness.Driver) {
		unnamed := maps.Clone(under.Z3)
		unnamed[""] = "csi-topo"
		asked := under.Volume(1).Within(unnamed)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
