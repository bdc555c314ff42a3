package placement

import (
	"context"
	"maps"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Two keys that differ only in letter case must not both exist. To refuse such a topology is right; to take it for the
// segment that both name is a warning; to use another segment is wrong.
func requisiteKeyTwice(s *harness.Suite) {
	labels := verdict.Case("requisite_key_twice", "TO-08", "TR-04", "GEN-12")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("refuses Z3 with a key twice, in two letter cases", labels, needs, func(ctx context.Context, under *harness.Driver) {
		twice := maps.Clone(under.Z3)
		maps.Copy(twice, keysInOtherCase(under.Z3))
		asked := under.Volume(1).Within(twice)

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
