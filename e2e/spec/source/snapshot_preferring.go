package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// preferred is a wish that the snapshot of a volume in Z2 may be unable to follow: as long as Z2 is in requisite, it is
// usable from there or from where it was wished.
func snapshotPreferring(s *harness.Suite) {
	labels := verdict.Case("snapshot_preferring", "CS-05", "TR-04", "PF-05")
	needs := snapshots()
	needs.Segments, needs.Volumes = 2, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("takes a snapshot that prefers Z3 and is usable from Z2", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		either := harness.Topologies(model.Set{under.Z3, under.Z2})
		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: either, Preferred: either}

		expectUsableFrom(ctx, under, request, under.Z3, under.Z2)
	})
}
