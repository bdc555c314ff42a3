package attach

import (
	"context"
	"fmt"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Every node can have a volume that is accessible from where it is. The controller does the work from wherever it runs: it
// must not take the node for its own.
func attachEveryNode(s *harness.Suite) {
	labels := verdict.Case("attach_every_node", "CP-01", "CP-02", "CP-03", "CP-11", "CU-01")
	needs := attaching(1)
	s.Case("publishes a volume to a node of every segment that the nodes are in", labels, needs, func(ctx context.Context, under *harness.Driver) {
		var tried model.Set
		for _, node := range under.Nodes {
			if tried.Contains(node.Segment) {
				continue
			}
			tried = append(tried, node.Segment)
			volume := under.NeedVolume(ctx, under.VolumeFor(node))

			gomega.Expect(publish(ctx, under, under.ControllerPublishVolumeRequest(volume, node))).To(harness.BeOK(
				fmt.Sprintf("the plugin makes a volume that %s reaches available on it (CP-02), wherever the controller runs (CP-03)", node)))
			gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, node))).To(harness.BeOK(
				"a plugin with PUBLISH_UNPUBLISH_VOLUME implements ControllerUnpublishVolume (CU-01)"))
		}
	})
}
