package source

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of a volume that was deleted there is no snapshot. Which code says so is open.
func snapshotUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("snapshot_unknown_volume", "CS-17", "GEN-09", "GEN-15", "GEN-16")
	needs := snapshots()
	s.Case("takes no snapshot of a volume that was deleted", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.DeletedVolume(ctx)
		before := under.Watch(ctx)

		_, err := under.Controller.CreateSnapshot(ctx, under.CreateSnapshotRequest(volume))

		gomega.Expect(err).To(harness.BeRefused("there is no volume to take a snapshot of (CS-17)"))
		gomega.Expect(before.Changes(ctx)).To(gomega.BeEmpty(), "a call that is refused takes no snapshot (CS-17)")
	})
}
