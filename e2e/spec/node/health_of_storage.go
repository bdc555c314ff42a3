package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The node says what is wrong with the storage that it sees, each thing once and by a name, or nothing.
func healthOfStorage(s *harness.Suite) {
	labels := verdict.Case("health_of_storage", "GEN-05")
	needs := harness.Needs{Nodes: 1, Node: []csi.NodeServiceCapability_RPC_Type{csi.NodeServiceCapability_RPC_GET_STORAGE_HEALTH}}
	s.Case("answers NodeGetStorageHealth on every node", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, node := range under.Nodes {
			response, err := node.NodeGetStorageHealth(ctx, &csi.NodeGetStorageHealthRequest{})

			gomega.Expect(err).To(harness.BeOK("a node with GET_STORAGE_HEALTH implements NodeGetStorageHealth"))
			var problems []problem
			for _, health := range response.GetBackendHealth() {
				problems = append(problems, problem{health.GetStatus(), health.GetReason(), health.GetVolumeCapability().String()})
			}
			gomega.Expect(misnamed(problems)).To(gomega.BeEmpty(), "each problem has a status and a reason, which are REQUIRED (GEN-05), and no two have both the same: %v", problems)
		}
	})
}
