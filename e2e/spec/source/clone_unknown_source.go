package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted is unknown: its id is one that the driver made itself.
func cloneUnknownSource(s *harness.Suite) {
	labels := verdict.Case("clone_unknown_source", "CVE-01", "CVE-02", "CVE-05", "CV-07", "GEN-15", "GEN-16")
	needs := clones()
	s.Case("does not find a volume that was deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		got := under.CreateVolumeFrom(ctx, harness.FromVolume(under.DeletedVolume(ctx).GetVolumeId()), under.Volume(1))

		gomega.Expect(got.Code).To(gomega.Equal(codes.NotFound), "a source that does not exist is NOT_FOUND (CVE-05)\ngot: %s", got)
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
