package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// GetSnapshot has a snapshot as it was answered.
func snapshotGot(s *harness.Suite) {
	labels := verdict.Case("snapshot_got", "GS-01")
	needs := snapshots()
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)
	s.Case("gets a snapshot", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		snapshot := under.NeedSnapshot(ctx, volume)

		response, err := under.Controller.GetSnapshot(ctx, under.GetSnapshotRequest(snapshot))

		gomega.Expect(err).To(harness.BeOK("a plugin that claims GET_SNAPSHOT has it (GS-01)"))
		gomega.Expect(differences(response.GetSnapshot(), snapshot)).To(gomega.BeEmpty(), "GetSnapshot has the snapshot as CreateSnapshot had it (GS-01)")
	})
}
