package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without requisite, preferred is all that is said: first Z2, where the volume is.
func snapshotPreferredOnly(s *harness.Suite) {
	labels := verdict.Case("snapshot_preferred_only", "CS-05", "PF-03")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("takes a snapshot that prefers Z2 where its volume is", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{Preferred: harness.Topologies(model.Set{under.Z2})}

		expectUsableFrom(ctx, under, request, under.Z2)
	})
}
