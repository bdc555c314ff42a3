package source

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot that is gone is deleted: the call is idempotent.
func snapshotDeletedAgain(s *harness.Suite) {
	labels := verdict.Case("snapshot_deleted_again", "DS-01", "DS-02")
	needs := snapshots()
	s.Case("answers OK to the deletion of a snapshot that is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.DeleteSnapshotRequest(under.NeedSnapshot(ctx, volume))

		_, err := under.Controller.DeleteSnapshot(ctx, request)
		gomega.Expect(err).To(harness.BeOK("a snapshot that nothing uses is deleted (DS-01)"))
		_, err = under.Controller.DeleteSnapshot(ctx, request)
		gomega.Expect(err).To(harness.BeOK("a snapshot that does not exist is OK (DS-02)"))
	})
}
