package placement

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is asked for by a region alone is in one segment of it, and says in which: an answer with the region alone
// would tell Kubernetes that it is accessible from all of them.
func requisiteWideKey(s *harness.Suite) {
	labels := verdict.Case("requisite_wide_key", "TR-01", "TR-04", "VOL-19", "K8S-C15")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("is accessible from one segment, named with all keys, when requisite has the one key that Z3 shares with most others", labels, needs, func(ctx context.Context, under *harness.Driver) {
		if len(under.Z2) < 2 {
			verdict.Skip(verdict.ByEnvironment, "the driver's segments have a single key, and the case leaves one of several out: %s", under.Z2)
		}
		asked := under.Volume(1).Within(widest(under.Z3, under.Segments()))

		got := under.CreateVolume(ctx, asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
