package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// An id says which snapshot is meant.
func requiredGetSnapshot(s *harness.Suite) {
	labels := verdict.Case("required_get_snapshot", "GS-03", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT, csi.ControllerServiceCapability_RPC_GET_SNAPSHOT)
	s.Case("asks for the required field of GetSnapshot", labels, needs, func(ctx context.Context, under *harness.Driver) {
		snapshot := under.NeedSnapshot(ctx, made(ctx, under))

		asksFor(ctx, under, under.Controller.GetSnapshot, under.GetSnapshotRequest(snapshot), required("snapshot_id", "GS-03"))
	})
}
