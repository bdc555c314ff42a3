package identity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A capability is a promise: the calls that follow from it are there.
func claimsController(s *harness.Suite) {
	labels := verdict.Case("claims_controller", "GEN-14")
	needs := harness.Needs{Plugin: []csi.PluginCapability_Service_Type{csi.PluginCapability_Service_CONTROLLER_SERVICE}}
	s.Case("implements what its controller claims", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, rpc := range controllerRPCs(under) {
			if rpc.claimed {
				rpc.implemented(ctx)
			}
		}
	})
}
