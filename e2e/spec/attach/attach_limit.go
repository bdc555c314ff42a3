package attach

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A node takes as many volumes as NodeGetInfo says, and not one more until one of them is taken from it. Others may use the
// node as well: that it refuses earlier is no contradiction while it has volumes that the case does not know of.
func attachLimit(s *harness.Suite) {
	labels := verdict.Case("attach_limit", "CP-29", "CP-36", "CU-10", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers RESOURCE_EXHAUSTED beyond max_volumes_per_node, and has room again after an unpublication", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := limited(under)
		var published []*csi.Volume
		var refused error
		for range node.MaxVolumes + 1 {
			volume := under.NeedVolume(ctx, under.VolumeFor(node))
			if refused = publish(ctx, under, under.ControllerPublishVolumeRequest(volume, node)); refused != nil {
				break
			}
			published = append(published, volume)
		}
		gomega.Expect(refused).To(harness.BeRefused(
			fmt.Sprintf("%s has max_volumes_per_node = %d, and a call beyond the limit is RESOURCE_EXHAUSTED (CP-36)", node, node.MaxVolumes), codes.ResourceExhausted))
		if len(published) == 0 {
			verdict.Skip(verdict.ByEnvironment, "%s has no room for a single volume: %v", node, refused)
		}
		if got := int64(len(published)); got < node.MaxVolumes {
			verdict.Warn("%s has max_volumes_per_node = %d, and took %d: unless others have volumes on it, pods will be scheduled to it that cannot start", node, node.MaxVolumes, got)
		}

		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(published[0], node))).To(harness.BeOK(
			"the volume is unpublished from the node that node_id names (CU-10)"))

		another := under.NeedVolume(ctx, under.VolumeFor(node))
		gomega.Expect(publish(ctx, under, under.ControllerPublishVolumeRequest(another, node))).To(harness.BeOK(
			"the call fails until one of the attached volumes is detached from the node (CP-36), and one was"))
	})
}
