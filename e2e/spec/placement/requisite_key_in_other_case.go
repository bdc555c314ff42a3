package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Keys are case-insensitive: a key in another letter case is the same key. Many drivers compare keys as Kubernetes does,
// by letter case: to refuse is a warning, and to use another segment is wrong.
func requisiteKeyInOtherCase(s *harness.Suite) {
	labels := verdict.Case("requisite_key_in_other_case", "TO-07", "TR-04")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("is accessible from Z3 when requisite has its keys in another letter case", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(keysInOtherCase(under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
