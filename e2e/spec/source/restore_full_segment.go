package source

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// In a full segment there is no room for a copy, unless one takes none. A refusal is RESOURCE_EXHAUSTED, and leaves
// nothing behind.
func restoreFullSegment(s *harness.Suite) {
	labels := verdict.Case("restore_full_segment", "CVE-01", "CVE-02", "CVE-08", "CV-07", "TR-08", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Exhaustion = true
	s.Case("refuses to restore a volume in the full Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		source := harness.FromSnapshot(under.NeedSnapshot(ctx, volume).GetSnapshotId())
		under.Fill(ctx, under.Z2)
		asked := under.Volume(1).Within(under.Z2)

		got := under.CreateVolumeFrom(ctx, source, asked)

		if got.Code == codes.OK {
			gomega.Expect(got.Segments.Equal(asked.Requisite)).To(gomega.BeTrue(), "a volume for Z2 is in Z2 (TR-07)\ngot: %s", got)
			return
		}
		gomega.Expect(got).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))
		gomega.Expect(got).To(harness.LeaveNothingBehind())
	})
}
