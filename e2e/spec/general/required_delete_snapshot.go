package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without an id nothing is deleted, and nothing is well.
func requiredDeleteSnapshot(s *harness.Suite) {
	labels := verdict.Case("required_delete_snapshot", "DS-03", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)
	s.Case("asks for the required field of DeleteSnapshot", labels, needs, func(ctx context.Context, under *harness.Driver) {
		snapshot := under.NeedSnapshot(ctx, made(ctx, under))

		asksFor(ctx, under, under.Controller.DeleteSnapshot, under.DeleteSnapshotRequest(snapshot), required("snapshot_id", "DS-03"))
	})
}
