package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A source names a snapshot or a volume.
func sourceEmpty(s *harness.Suite) {
	labels := verdict.Case("source_empty", "CVE-02", "CVE-04", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1}
	s.Case("refuses a source that names nothing", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, source := range []*csi.VolumeContentSource{{}, harness.FromSnapshot(""), harness.FromVolume("")} {
			got := under.CreateVolumeFrom(ctx, source, under.Volume(1))

			const why = "one of the types of a source is required, with its id (GEN-11), and a source that is not supported is the same (CVE-04)"
			gomega.Expect(got.Code).To(gomega.Equal(codes.InvalidArgument), "%s\nvolume_content_source: {%s}\ngot: %s", why, source, got)
			gomega.Expect(got).To(harness.LeaveNothingBehind())
		}
	})
}
