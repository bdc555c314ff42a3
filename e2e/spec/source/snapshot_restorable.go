package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// From every topology that a snapshot lists, a volume can be restored from it.
func snapshotRestorable(s *harness.Suite) {
	labels := verdict.Case("snapshot_restorable", "CS-05", "CS-08", "CS-10", "CS-13", "CS-15")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("restores a snapshot in every topology that it is usable from", labels, needs, func(ctx context.Context, under *harness.Driver) {
		snapshot := under.NeedSnapshot(ctx, under.NeedVolume(ctx, under.Volume(1)))
		usable := harness.Segments(snapshot.GetAccessibleTopology())
		if len(usable) == 0 { // then it is usable from everywhere
			usable = under.Zones(2)
		}
		for _, segment := range usable {
			expectRestorable(ctx, under, snapshot, segment)
		}
	})
}
