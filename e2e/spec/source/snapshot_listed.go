package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot appears in ListSnapshots as it was answered, and no more when it is deleted.
func snapshotListed(s *harness.Suite) {
	labels := verdict.Case("snapshot_listed", "LS-01", "DS-01")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
	s.Case("lists a snapshot until it is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)

		listed := under.ListedSnapshot(ctx, snapshot.GetSnapshotId())
		gomega.Expect(listed).NotTo(gomega.BeNil(), "ListSnapshots has all snapshots (LS-01), and not %s", snapshot.GetSnapshotId())
		gomega.Expect(differences(listed, snapshot)).To(gomega.BeEmpty(), "ListSnapshots has the snapshot as CreateSnapshot had it (LS-01)")

		harness.Need(under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(snapshot)))
		gomega.Expect(under.ListedSnapshot(ctx, snapshot.GetSnapshotId())).To(gomega.BeNil(), "a snapshot that is deleted is not on the storage system any more (DS-01)")
	})
}
