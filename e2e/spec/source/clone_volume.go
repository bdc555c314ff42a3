package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A plugin that claims CLONE_VOLUME makes volumes with the content of a volume. The answer should say of what:
// Kubernetes takes it for a failure if it does not.
func cloneVolume(s *harness.Suite) {
	labels := verdict.Case("clone_volume", "CS-02", "CV-03", "CV-11", "VS-01", "VOL-04")
	needs := clones()
	s.Case("clones a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		source := harness.FromVolume(volume.GetVolumeId())

		made := mustMake(ctx, under, source, under.Volume(1))

		gomega.Expect(made.VolumeID).NotTo(gomega.Equal(volume.GetVolumeId()), "volume_id identifies one volume (VOL-04), and the new one is another")
		if got := made.Volume.GetContentSource(); !proto.Equal(got, source) {
			verdict.Warn("the volume was made from {%s}, and its content_source is {%s}: users in Kubernetes cannot use it (VS-01)", source, got)
		}
	})
}
