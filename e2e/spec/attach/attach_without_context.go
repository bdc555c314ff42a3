package attach

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// volume_context is OPTIONAL, and the volume_id alone should tell which volume is meant.
func attachWithoutContext(s *harness.Suite) {
	labels := verdict.Case("attach_without_context", "CP-18", "VOL-11")
	needs := attaching(1)
	s.Case("publishes a volume without its volume_context", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := under.ControllerPublishVolumeRequest(volume, node)
		request.VolumeContext = nil

		if err := publish(ctx, under, request); err != nil {
			verdict.Warn("the volume_id alone should be sufficient to identify the volume (VOL-11), and volume_context is OPTIONAL (CP-18): %v", err)
		}
	})
}
