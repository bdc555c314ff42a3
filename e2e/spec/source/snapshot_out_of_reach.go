package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where a snapshot of the volume cannot be used, RESOURCE_EXHAUSTED says so, and nothing is left behind. A driver that
// can copy it there does.
func snapshotOutOfReach(s *harness.Suite) {
	labels := verdict.Case("snapshot_out_of_reach", "CS-05", "CS-17", "CS-19", "TR-08", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 2, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("refuses a snapshot for Z3 of a volume in Z2, or makes it usable there", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{under.Z3})}
		before := under.Watch(ctx)

		_, err := under.Controller.CreateSnapshot(ctx, request)

		if err == nil {
			expectUsableFrom(ctx, under, request, under.Z3)
			return
		}
		const why = "a topology from which a snapshot cannot be usable is RESOURCE_EXHAUSTED (CS-19)"
		gomega.Expect(err).To(harness.BeRefused(why, codes.ResourceExhausted))
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "a call that is refused takes no snapshot (CS-17)")
	})
}
