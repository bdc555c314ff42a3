package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// When the volume is deleted its name is free, for another topology as well.
func nameUsedAgainElsewhere(s *harness.Suite) {
	labels := verdict.Case("name_used_again_elsewhere", "CV-02", "TR-07")
	needs := harness.Needs{Segments: 2, Volumes: 4}
	s.Case("makes a volume in Z3 under the name of one in Z2 that is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		deletion := &csi.DeleteVolumeRequest{VolumeId: first.VolumeID, Secrets: under.Profile().Secrets.DeleteVolume}
		harness.Need(under.Controller.DeleteVolume(ctx, deletion))

		elsewhere := under.Volume(1).Within(under.Z3)
		got := under.CreateVolumeAgain(ctx, first, elsewhere)

		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(elsewhere, under.World())))
	})
}
