package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A name whose snapshot is usable from what is asked for has that snapshot. If it is not, the answer is no OK, unless
// the snapshot has become usable from there too.
func snapshotTopologyAgain(s *harness.Suite) {
	labels := verdict.Case("snapshot_topology_again", "CS-04", "CS-05", "CS-17", "GEN-09", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 2, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("answers a repeated request for Z2 with the same snapshot, and refuses one for Z3", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1).Within(under.Z2)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{under.Z2})}
		first := mustTake(ctx, under, request)

		again, err := under.Controller.CreateSnapshot(ctx, request)
		gomega.Expect(err).To(harness.BeOK("the snapshot is usable from accessibility_requirements: it is the answer (CS-04)"))
		gomega.Expect(differences(again.GetSnapshot(), first)).To(gomega.BeEmpty(), "the same request again has the same snapshot (CS-04)")

		request.AccessibilityRequirements = &csi.TopologyRequirement{Requisite: harness.Topologies(model.Set{under.Z3})}
		_, err = under.Controller.CreateSnapshot(ctx, request)
		if err == nil {
			expectUsableFrom(ctx, under, request, under.Z3)
			return
		}
		gomega.Expect(err).To(harness.BeRefused("the snapshot of that name is not usable from accessibility_requirements (CS-05)"))
	})
}
