package source

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot has an id, the id of its volume, and the time when it was taken. Its size may be unknown.
func snapshotVolume(s *harness.Suite) {
	labels := verdict.Case("snapshot_volume", "CS-03", "CS-17", "SN-01", "SN-02", "SN-03", "SN-04")
	needs := snapshots()
	s.Case("takes a snapshot of a volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		response, err := under.Controller.CreateSnapshot(ctx, under.CreateSnapshotRequest(volume))

		gomega.Expect(err).To(harness.BeOK("a plugin that claims CREATE_DELETE_SNAPSHOT takes snapshots (CS-03)"))
		snapshot := response.GetSnapshot()
		gomega.Expect(snapshot.GetSnapshotId()).NotTo(gomega.BeEmpty(), "snapshot_id is required (SN-01)")
		gomega.Expect(snapshot.GetSourceVolumeId()).To(gomega.Equal(volume.GetVolumeId()), "source_volume_id is that of the volume (SN-02)")
		gomega.Expect(snapshot.GetCreationTime().IsValid() && snapshot.GetCreationTime().GetSeconds() > 0).To(gomega.BeTrue(), "creation_time is required (SN-03), and is {%s}", snapshot.GetCreationTime())
		gomega.Expect(snapshot.GetSizeBytes()).To(gomega.BeNumerically(">=", 0), "size_bytes is not negative (SN-04)")
	})
}
