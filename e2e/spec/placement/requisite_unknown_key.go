package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A topology with a key that no node reports is refused. A driver that passes over the key is warned, and one that uses
// another segment is wrong.
func requisiteUnknownKey(s *harness.Suite) {
	labels := verdict.Case("requisite_unknown_key", "TR-04", "CVE-08", "GEN-12")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("refuses Z3 with a key that no node reports, and never uses another segment", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(withUnknownKey(under.Z3))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
