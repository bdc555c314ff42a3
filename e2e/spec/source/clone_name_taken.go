package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name stands for one volume with one source: asked for again without it, or with another one, it is taken.
func cloneNameTaken(s *harness.Suite) {
	labels := verdict.Case("clone_name_taken", "CVE-02", "CVE-06", "CV-07", "GEN-15", "GEN-16")
	needs := clones()
	s.Case("refuses a name whose volume has another source", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		made := mustMake(ctx, under, harness.FromVolume(volume.GetVolumeId()), under.Volume(1))
		volume = under.NeedVolume(ctx, under.Volume(1))
		for _, other := range []*csi.VolumeContentSource{nil, harness.FromVolume(volume.GetVolumeId())} {
			got := under.CreateVolumeFromAgain(ctx, made, other, under.Volume(1))

			gomega.Expect(got.Code).To(gomega.Equal(codes.AlreadyExists), "the name has a volume with another volume_content_source (CVE-06)\ngot: %s", got)
			gomega.Expect(got).To(harness.LeaveNothingBehind())
		}
	})
}
