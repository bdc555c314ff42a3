package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A snapshot has a name, and is of a volume.
func requiredCreateSnapshot(s *harness.Suite) {
	labels := verdict.Case("required_create_snapshot", "SN-05", "CS-17", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT)
	s.Case("asks for the required fields of CreateSnapshot", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.CreateSnapshot, under.CreateSnapshotRequest(volume),
			required("name", "SN-05", "CS-17"), required("source_volume_id", "SN-05", "CS-17"))
	})
}
