package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Requests for one name at the same time take one snapshot. A call may be ABORTED while another one is pending. Any
// other failure is a warning.
func snapshotAtOnce(s *harness.Suite) {
	labels := verdict.Case("snapshot_at_once", "CS-03", "GEN-02", "GEN-03", "GEN-13")
	needs := snapshots()
	s.Case("takes one snapshot for one name that is asked for several times at once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.CreateSnapshotRequest(volume)

		answers := harness.Graceful(harness.AtOnce(ctx, 4, func(ctx context.Context) (*csi.CreateSnapshotResponse, error) {
			return under.Controller.CreateSnapshot(ctx, request)
		}))

		again, err := under.Controller.CreateSnapshot(ctx, request)
		gomega.Expect(err).To(harness.BeOK("with no call pending, the request is OK with the snapshot that one of them took (CS-03)"))
		for _, answer := range answers {
			gomega.Expect(answer.GetSnapshot().GetSnapshotId()).To(gomega.Equal(again.GetSnapshot().GetSnapshotId()), "one name is one snapshot (CS-03)")
		}
	})
}
