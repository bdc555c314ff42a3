package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot should not depend on its volume. A driver that deletes a volume with snapshots must keep them listed and
// fit to be restored; one that cannot leaves the volume alone and answers FAILED_PRECONDITION.
func snapshotOutlivesVolume(s *harness.Suite) {
	labels := verdict.Case("snapshot_outlives_volume", "DV-03", "DV-04", "CS-01", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("keeps the snapshot of a volume that is deleted, or keeps the volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)
		lists := under.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
		byID := func() []string {
			return ids(harness.Need(under.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{
				SnapshotId: snapshot.GetSnapshotId(), Secrets: under.Profile().Secrets.ListSnapshots,
			})))
		}
		var found []string
		if lists {
			found = byID()
		}

		_, err := under.Controller.DeleteVolume(ctx, under.DeleteVolumeRequest(volume))

		if err != nil {
			gomega.Expect(err).To(harness.BeRefused("a volume that cannot be deleted for its snapshots is FAILED_PRECONDITION (DV-04)", codes.FailedPrecondition))
			expectThere(ctx, under, volume)
			return
		}
		if lists {
			gomega.Expect(under.ListedSnapshot(ctx, snapshot.GetSnapshotId())).NotTo(gomega.BeNil(), "the snapshot of a deleted volume appears in ListSnapshots (DV-03)")
			gomega.Expect(byID()).To(gomega.Equal(found), "ListSnapshots finds the snapshot of a deleted volume by its id, as before (DV-03)")
		}
		got := under.CreateVolumeFrom(ctx, harness.FromSnapshot(snapshot.GetSnapshotId()), under.Volume(1))
		gomega.Expect(got.Code).To(gomega.Equal(codes.OK), "the snapshot of a deleted volume is acceptable as a source (DV-03)\ngot: %s", got)
	})
}
