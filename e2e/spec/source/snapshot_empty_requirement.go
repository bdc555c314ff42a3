package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A TopologyRequirement that names nothing is invalid, or is taken as none.
func snapshotEmptyRequirement(s *harness.Suite) {
	labels := verdict.Case("snapshot_empty_requirement", "CS-08", "CS-10", "TR-03", "GEN-12", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Segments, needs.Volumes = 1, 4
	needs.Plugin = []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}
	s.Case("takes an empty requirement of a snapshot for none, or for invalid", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := under.CreateSnapshotRequest(under.NeedVolume(ctx, under.Volume(1)))
		request.AccessibilityRequirements = &csi.TopologyRequirement{}

		_, err := under.Controller.CreateSnapshot(ctx, request)

		const why = "a TopologyRequirement has requisite, preferred or both (TR-03): one without is as none, or INVALID_ARGUMENT (GEN-12)"
		gomega.Expect(err).To(harness.BeOKOrRefused(why, codes.InvalidArgument))
	})
}
