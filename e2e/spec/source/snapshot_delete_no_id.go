package source

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// snapshot_id is required.
func snapshotDeleteNoID(s *harness.Suite) {
	labels := verdict.Case("snapshot_delete_no_id", "DS-03", "GEN-05", "GEN-11", "GEN-15", "GEN-16")
	needs := snapshots()
	needs.Volumes = 0
	s.Case("refuses a deletion without snapshot_id", labels, needs, func(ctx context.Context, under *harness.Driver) {
		_, err := under.Controller.DeleteSnapshot(ctx, under.DeleteSnapshotRequest(&csi.Snapshot{}))

		gomega.Expect(err).To(harness.BeRefused("snapshot_id is required (DS-03): without it the call is INVALID_ARGUMENT (GEN-11)", codes.InvalidArgument))
	})
}
