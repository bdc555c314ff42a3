package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// snapshot_id asks for one snapshot, and one that there is not is an empty list.
func snapshotsByID(s *harness.Suite) {
	labels := verdict.Case("snapshots_by_id", "LS-05")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS)
	s.Case("lists one snapshot only, and none that is deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot, other := under.NeedSnapshot(ctx, volume), under.NeedSnapshot(ctx, volume)
		request := &csi.ListSnapshotsRequest{SnapshotId: snapshot.GetSnapshotId()}

		gomega.Expect(listed(ctx, under, request)).To(gomega.ConsistOf(snapshot.GetSnapshotId()), "the list has snapshot_id and no other (LS-05): not %s", other.GetSnapshotId())

		harness.Need(under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(snapshot)))
		gomega.Expect(listed(ctx, under, request)).To(gomega.BeEmpty(), "a snapshot that is deleted is in no list (LS-05)")
	})
}
