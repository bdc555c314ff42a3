package source

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// accessible_topology of a snapshot is for plugins that claim SNAPSHOT_ACCESSIBILITY_CONSTRAINTS. They may have it or
// not, and choose it themselves where nothing is asked for.
func snapshotTopologyClaimed(s *harness.Suite) {
	labels := verdict.Case("snapshot_topology_claimed", "CS-08", "CS-10", "CS-12", "CS-13")
	needs := snapshots()
	s.Case("has accessible_topology for a snapshot only if it claims to", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		snapshot := under.NeedSnapshot(ctx, volume)

		topology := harness.Segments(snapshot.GetAccessibleTopology())
		if !under.ClaimsPlugin(csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS) {
			gomega.Expect(topology).To(gomega.BeEmpty(), "a plugin that returns accessible_topology of a snapshot claims SNAPSHOT_ACCESSIBILITY_CONSTRAINTS (CS-12)")
		}
		if len(under.Segments()) == 0 { // nothing is known of where nodes are
			return
		}
		for _, segment := range topology {
			gomega.Expect(slices.ContainsFunc(under.Segments(), func(s model.Segment) bool { return s.Matches(segment) })).To(gomega.BeTrue(), "the snapshot is usable from %s, which no node reports (CS-13)", segment)
		}
	})
}
