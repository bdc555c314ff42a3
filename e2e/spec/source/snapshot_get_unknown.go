package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot that was deleted is unknown.
func snapshotGetUnknown(s *harness.Suite) {
	labels := verdict.Case("snapshot_get_unknown", "GS-02", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)
	s.Case("does not get a snapshot that is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		snapshot := under.NeedSnapshot(ctx, under.NeedVolume(ctx, under.Volume(1)))
		harness.Need(under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(snapshot)))

		_, err := under.Controller.GetSnapshot(ctx, under.GetSnapshotRequest(snapshot))
		gomega.Expect(err).To(harness.BeRefused("a snapshot that does not exist is NOT_FOUND (GS-02)", codes.NotFound))
	})
}
