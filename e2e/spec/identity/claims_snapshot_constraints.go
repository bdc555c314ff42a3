package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Snapshots that are not usable from everywhere are snapshots.
func claimsSnapshotConstraints(s *harness.Suite) {
	labels := verdict.Case("claims_snapshot_constraints", "PC-04")
	needs := harness.Needs{Plugin: []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_SNAPSHOT_ACCESSIBILITY_CONSTRAINTS}}
	s.Case("claims SNAPSHOT_ACCESSIBILITY_CONSTRAINTS, and has snapshots", labels, needs, func(_ context.Context, under *harness.Driver) {
		if !under.Claims(csi.ControllerServiceCapability_RPC_CREATE_DELETE_SNAPSHOT) {
			verdict.Warn("snapshots are usable from some topologies only, and CREATE_DELETE_SNAPSHOT is not claimed: there are none (PC-04)")
		}
	})
}
