package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot that was deleted is unknown: its id is one that the driver made itself.
func restoreUnknownSource(s *harness.Suite) {
	labels := verdict.Case("restore_unknown_source", "CVE-01", "CVE-02", "CVE-05", "CV-07", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("does not find a snapshot that was deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)
		harness.Need(under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(snapshot)))

		got := under.CreateVolumeFrom(ctx, harness.FromSnapshot(snapshot.GetSnapshotId()), under.Volume(1))

		gomega.Expect(got.Code).To(gomega.Equal(codes.NotFound), "a source that does not exist is NOT_FOUND (CVE-05)\ngot: %s", got)
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
