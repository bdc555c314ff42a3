package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot that was deleted is unknown, and snapshot_id is required.
func snapshotGetUnknown(s *harness.Suite) {
	labels := verdict.Case("snapshot_get_unknown", "GS-02", "GS-03", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)
	s.Case("does not get a snapshot that is deleted, or one without snapshot_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		snapshot := under.NeedSnapshot(ctx, under.NeedVolume(ctx, under.Volume(1)))
		harness.Need(under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(snapshot)))

		_, err := under.Controller.GetSnapshot(ctx, under.GetSnapshotRequest(snapshot))
		gomega.Expect(err).To(harness.BeRefused("a snapshot that does not exist is NOT_FOUND (GS-02)", codes.NotFound))
		_, err = under.Controller.GetSnapshot(ctx, under.GetSnapshotRequest(&csi.Snapshot{}))
		gomega.Expect(err).To(harness.BeRefused("snapshot_id is required (GS-03): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
