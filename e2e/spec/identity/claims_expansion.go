package identity

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// How volumes can grow follows from which calls let them grow: ONLINE from either, OFFLINE from the controller's. Without
// one of the two a CO does not know when it may call.
func claimsExpansion(s *harness.Suite) {
	labels := verdict.Case("claims_expansion", "PC-06", "PC-10")
	s.Case("claims EXPAND_VOLUME for the way that it claims volumes grow", labels, harness.Needs{}, func(_ context.Context, under *harness.Driver) {
		online := under.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_ONLINE)
		offline := under.ClaimsExpansion(csi.PluginCapability_VolumeExpansion_OFFLINE)
		byController := under.Claims(csi.ControllerServiceCapability_RPC_EXPAND_VOLUME)
		byNode := slices.ContainsFunc(under.Nodes, func(n *harness.Node) bool { return n.Claims(csi.NodeServiceCapability_RPC_EXPAND_VOLUME) })

		switch {
		case !online && !offline && !byController && !byNode:
			verdict.Skip(verdict.ByCapability, "the plugin claims nothing of volumes that grow")
		case !online && !offline:
			verdict.Warn("EXPAND_VOLUME is claimed, and neither VolumeExpansion ONLINE nor OFFLINE: a CO does not know when volumes can grow (PC-06, PC-10)")
		}
		if online && len(under.Nodes) > 0 {
			gomega.Expect(byController || byNode).To(gomega.BeTrue(), "ONLINE needs EXPAND_VOLUME of the controller, of the node or of both (PC-06)")
		}
		if offline {
			gomega.Expect(byController).To(gomega.BeTrue(), "OFFLINE needs EXPAND_VOLUME of the controller (PC-10)")
		}
	})
}
