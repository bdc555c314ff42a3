package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name stands for one snapshot of one volume.
func snapshotOtherVolume(s *harness.Suite) {
	labels := verdict.Case("snapshot_other_volume", "CS-17", "CS-18", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("refuses the name of a snapshot for another volume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1)))
		under.NeedReady(ctx, request)
		request.SourceVolumeId = under.NeedVolume(ctx, under.Volume(1)).GetVolumeId()
		before := under.Watch(ctx)

		_, err := under.Controller.CreateSnapshot(ctx, request)

		gomega.Expect(err).To(harness.BeRefused("the name has a snapshot of another volume: ALREADY_EXISTS (CS-18)", codes.AlreadyExists))
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "a call that is refused takes no snapshot (CS-17)")
	})
}
