package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// In a full segment there may be no room for a snapshot either: then it is RESOURCE_EXHAUSTED, and nothing is left
// behind. A driver whose snapshots take no room there takes one.
func snapshotFullSegment(s *harness.Suite) {
	labels := verdict.Case("snapshot_full_segment", "CS-17", "CS-19", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Exhaustion = true
	s.Case("takes a snapshot of a volume in the full Z2, or says that there is no room", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		under.Fill(ctx, under.Z2)
		before := under.Watch(ctx)

		_, err := under.Controller.CreateSnapshot(ctx, under.CreateSnapshotRequest(volume))

		gomega.Expect(err).To(harness.BeOKOrRefused("no room for a snapshot is RESOURCE_EXHAUSTED (CS-19)", codes.ResourceExhausted))
		if err != nil {
			gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "a call that is refused takes no snapshot (CS-17)")
		}
	})
}
