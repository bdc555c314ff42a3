package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is there when its source is gone. A driver that cannot have that refuses to delete the source, which is
// FAILED_PRECONDITION.
func restoreOutlivesSnapshot(s *harness.Suite) {
	labels := verdict.Case("restore_outlives_snapshot", "CS-01", "DS-04", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("keeps a volume whose source is deleted, or keeps the source", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)
		made := mustMake(ctx, under, harness.FromSnapshot(snapshot.GetSnapshotId()), under.Volume(1))

		_, err := under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(snapshot))

		const why = "a source is deleted, or is FAILED_PRECONDITION while it is in use (DS-04)"
		gomega.Expect(err).To(harness.BeOKOrRefused(why, codes.FailedPrecondition))
		expectThere(ctx, under, made.Volume)
	})
}
