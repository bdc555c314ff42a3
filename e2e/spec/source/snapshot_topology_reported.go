package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot has one accessible_topology, wherever it is reported.
func snapshotTopologyReported(s *harness.Suite) {
	labels := verdict.Case("snapshot_topology_reported", "CS-13", "LS-01", "GS-01")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("reports the same accessible_topology of a snapshot everywhere", labels, needs, func(ctx context.Context, under *harness.Driver) {
		snapshot := under.NeedSnapshot(ctx, under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		reported := under.ReportedSnapshot(ctx, snapshot)
		if len(reported) == 0 {
			verdict.Skip(verdict.ByCapability, "ControllerGetCapabilities lists neither GET_SNAPSHOT nor LIST_SNAPSHOTS, which say where a snapshot is usable")
		}
		for call, now := range reported {
			got, want := harness.Segments(now.GetAccessibleTopology()), harness.Segments(snapshot.GetAccessibleTopology())
			gomega.Expect(got.Equal(want)).To(gomega.BeTrue(), "%s has the snapshot usable from %s, and CreateSnapshot from %s (CS-13)", call, got, want)
		}
	})
}
