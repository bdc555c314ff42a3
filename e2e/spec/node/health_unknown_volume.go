package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted has no health.
func healthUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("health_unknown_volume", "GEN-09", "GEN-15", "GEN-16")
	needs := publishing()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH)
	s.Case("answers NOT_FOUND to NodeGetVolumeHealth for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		deleted := under.DeletedVolume(ctx)

		_, err := node.NodeGetVolumeHealth(ctx, &csi.NodeGetVolumeHealthRequest{VolumeId: deleted.GetVolumeId()})
		gomega.Expect(err).To(harness.BeRefused("a volume that does not exist is NOT_FOUND, the code that NodeGetVolumeHealth has for it (GEN-09)", codes.NotFound))
	})
}
