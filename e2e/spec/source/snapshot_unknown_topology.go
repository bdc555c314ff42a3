package source

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// No snapshot is usable from a topology that no node reports.
func snapshotUnknownTopology(s *harness.Suite) {
	labels := verdict.Case("snapshot_unknown_topology", "CS-05", "CS-17", "CS-19", "GEN-12", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("refuses a snapshot for a topology that there is not", labels, needs, func(ctx context.Context, under *harness.Driver) {
		nowhere := maps.Clone(under.Z2)
		for key := range nowhere {
			nowhere[key] = "csi-topo-nowhere"
		}
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{nowhere})}
		before := under.Watch(ctx)

		_, err := under.Controller.CreateSnapshot(ctx, request)

		const why = "a topology that no node reports is unsupported (GEN-12), or one where no snapshot can be (CS-19)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.InvalidArgument, codes.ResourceExhausted))
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "a call that is refused takes no snapshot (CS-17)")
	})
}
