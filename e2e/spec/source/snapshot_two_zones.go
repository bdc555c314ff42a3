package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot for Z2 or Z3 of a volume that is in both is usable from one of them at least.
func snapshotTwoZones(s *harness.Suite) {
	labels := verdict.Case("snapshot_two_zones", "CS-05", "CS-13", "TR-04")
	needs := snapshots()
	needs.Segments, needs.Volumes = 2, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	needs.AccessibleFrom = 2
	s.Case("takes a snapshot within Z2 and Z3 of a volume that is in both", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(2).Within(under.Z2, under.Z3)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{under.Z2, under.Z3})}

		expectUsableFrom(ctx, under, request, under.Z2, under.Z3)
	})
}
