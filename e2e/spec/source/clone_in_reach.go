package source

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where its source is, the new volume can be too.
func cloneInReach(s *harness.Suite) {
	labels := verdict.Case("clone_in_reach", "CS-02", "CV-18", "TR-07")
	needs := clones()
	needs.Segments, needs.Volumes = 1, 4
	s.Case("clones a volume in Z2, where its source is", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		asked := under.Volume(1).Within(under.Z2)

		got := under.CreateVolumeFrom(ctx, harness.FromVolume(volume.GetVolumeId()), asked)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
	})
}
