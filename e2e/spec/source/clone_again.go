package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The same call again has the volume that it made: the source is one of the things that are the same.
func cloneAgain(s *harness.Suite) {
	labels := verdict.Case("clone_again", "CV-02", "CV-03", "CV-07", "VOL-12")
	needs := clones()
	s.Case("answers a repeated request to clone a volume with the same one", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		source := harness.FromVolume(volume.GetVolumeId())
		first := mustMake(ctx, under, source, under.Volume(1))
		before := under.Watch(ctx)

		again := under.CreateVolumeFromAgain(ctx, first, source, under.Volume(1))

		gomega.Expect(again.Code).To(gomega.Equal(codes.OK), "the same request again is OK with the volume that it made (CV-03)\ngot: %s", again)
		gomega.Expect(again).To(harness.BeTheSameVolumeAs(first))
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "the same request again makes nothing (CV-07)")
	})
}
