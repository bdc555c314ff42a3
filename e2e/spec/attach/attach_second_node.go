package attach

import (
	"context"
	"fmt"
	"strings"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume without a MULTI_NODE capability is on one node at a time. The message should say on which, as whoever reads it
// needs to know where to look.
func attachSecondNode(s *harness.Suite) {
	labels := verdict.Case("attach_second_node", "CP-12", "CP-29", "CP-34", "CP-35", "GEN-15", "GEN-16")
	needs := attaching(2)
	s.Case("does not publish a volume for one node to a second one, and says where it is", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, forTwo(under))
		one, other := twoOf(under, volume)
		harness.Need(under.Controller.ControllerPublishVolume(ctx, under.ControllerPublishVolumeRequest(volume, one)))

		got := publish(ctx, under, under.ControllerPublishVolumeRequest(volume, other))

		gomega.Expect(got).To(harness.BeRefused(fmt.Sprintf(
			"the volume is published to %s, and is without a MULTI_NODE capability: it is FAILED_PRECONDITION on %s (CP-34)", one, other), codes.FailedPrecondition))
		if !strings.Contains(got.Error(), one.ID) {
			verdict.Warn("the message should name the node_id of the node at which the volume is published, %q (CP-35): %s", one.ID, got)
		}
	})
}
