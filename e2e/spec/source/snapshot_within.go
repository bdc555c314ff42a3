package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot for Z2, where its volume is, is usable from Z2.
func snapshotWithin(s *harness.Suite) {
	labels := verdict.Case("snapshot_within", "CS-05", "TR-04", "TR-07")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("takes a snapshot that is usable from Z2 where its volume is", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{under.Z2})}

		expectUsableFrom(ctx, under, request, under.Z2)
	})
}
