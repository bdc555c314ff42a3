package node

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// The node says of a volume what is wrong with it, each thing once and by a name, or nothing.
func healthOfVolume(s *harness.Suite) {
	labels := verdict.Case("health_of_volume", "GEN-05")
	needs := publishing()
	needs.Node = append(needs.Node, csi.NodeServiceCapability_RPC_GET_VOLUME_HEALTH)
	s.Case("answers NodeGetVolumeHealth for a volume that is published", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		published := node.Publish(ctx, under.NeedVolume(ctx, under.VolumeFor(node)))
		request := &csi.NodeGetVolumeHealthRequest{VolumeId: published.GetVolumeId(), VolumePublishPath: published.GetTargetPath(), StagingTargetPath: published.GetStagingTargetPath()}

		response, err := node.NodeGetVolumeHealth(ctx, request)

		gomega.Expect(err).To(harness.BeOK("a node with GET_VOLUME_HEALTH implements NodeGetVolumeHealth"))
		gomega.Expect(response.GetVolumeHealth().GetVolumeId()).To(gomega.Equal(published.GetVolumeId()), "volume_health is REQUIRED, and its volume_id is (GEN-05)")
		var problems []problem
		for _, entry := range response.GetVolumeHealth().GetHealthStatuses() {
			problems = append(problems, problem{entry.GetStatus(), entry.GetReason(), ""})
		}
		gomega.Expect(misnamed(problems)).To(gomega.BeEmpty(), "each problem has a status and a reason, which are REQUIRED (GEN-05), and no two have both the same: %v", problems)
	})
}
