package volume

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume is independent of its snapshots, or cannot be deleted while it has one. Either way the snapshot keeps its worth.
func deleteWithSnapshot(s *harness.Suite) {
	labels := verdict.Case("delete_with_snapshot", "DV-03", "DV-04", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 2, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT}}
	s.Case("keeps the snapshots of a volume that it deletes", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := creation(under)
		volume := made(ctx, under, request)
		snapshot := harness.Need(under.Controller.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{
			Name: under.Name(), SourceVolumeId: volume.GetVolumeId(), Parameters: under.Profile().SnapshotParameters, Secrets: under.Profile().Secrets.CreateSnapshot,
		})).GetSnapshot()

		if _, err := under.Controller.DeleteVolume(ctx, deletion(under, volume)); err != nil {
			gomega.Expect(err).To(harness.BeRefused("a volume that its snapshots need is FAILED_PRECONDITION (DV-04)", codes.FailedPrecondition))
			remains(ctx, under, request, volume, "a volume whose deletion was refused is not altered (DV-04)")
			return
		}
		restore := creation(under)
		restore.VolumeContentSource = &csi.VolumeContentSource{Type: &csi.VolumeContentSource_Snapshot{
			Snapshot: &csi.VolumeContentSource_SnapshotSource{SnapshotId: snapshot.GetSnapshotId()},
		}}
		_, err := under.Controller.CreateVolume(ctx, restore)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a snapshot stays a source for new volumes when its volume has gone (DV-03)")
		if under.Claims(csi.ControllerServiceCapability_RPC_LIST_SNAPSHOTS) {
			listed := harness.Need(under.Controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{
				SnapshotId: snapshot.GetSnapshotId(), Secrets: under.Profile().Secrets.ListSnapshots,
			}))
			gomega.Expect(listed.GetEntries()).To(gomega.HaveLen(1), "a snapshot stays listed when its volume has gone (DV-03)")
		}
	})
}
