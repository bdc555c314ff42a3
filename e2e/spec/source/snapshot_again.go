package source

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The same call again has the snapshot that it took, and takes nothing.
func snapshotAgain(s *harness.Suite) {
	labels := verdict.Case("snapshot_again", "CS-03")
	needs := snapshots()
	s.Case("answers a repeated request with the same snapshot", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := under.CreateSnapshotRequest(volume)
		first := under.NeedReady(ctx, request)
		before := under.Watch(ctx)

		again, err := under.Controller.CreateSnapshot(ctx, request)

		gomega.Expect(err).To(harness.BeOK("the same request again is OK with the snapshot that it took (CS-03)"))
		gomega.Expect(differences(again.GetSnapshot(), first)).To(gomega.BeEmpty(), "the same request again has the same snapshot (CS-03)")
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "the same request again takes no snapshot (CS-03)")
	})
}
