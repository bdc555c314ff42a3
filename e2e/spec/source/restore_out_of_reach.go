package source

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where its source cannot reach, a volume is refused, or else really made there, never elsewhere. The specification has
// two codes for that: INVALID_ARGUMENT is for a source that does not fit the request, RESOURCE_EXHAUSTED for a topology
// in which nothing can be made. Both are taken; only with the second one Kubernetes looks for another place, so the
// first is a warning.
func restoreOutOfReach(s *harness.Suite) {
	labels := verdict.Case("restore_out_of_reach", "CV-18", "TR-08", "CVE-01", "CVE-02", "CVE-04", "CVE-08", "CV-07", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 2, 4
	s.Case("refuses to restore a volume in Z3 when its source is in Z2, or does it", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		asked := under.Volume(1).Within(under.Z3)

		got := under.CreateVolumeFrom(ctx, harness.FromSnapshot(under.NeedSnapshot(ctx, volume).GetSnapshotId()), asked)

		judgeOutOfReach(under, got, asked)
	})
}
