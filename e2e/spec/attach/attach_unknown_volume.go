package attach

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted is not there to be published.
func attachUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("attach_unknown_volume", "CP-28", "CP-29", "CP-31", "GEN-15", "GEN-16")
	needs := attaching(1)
	s.Case("answers NOT_FOUND for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		deleted := under.DeletedVolume(ctx)

		got := publish(ctx, under, under.ControllerPublishVolumeRequest(deleted, under.Nodes[0]))

		gomega.Expect(got).To(harness.BeRefused("a volume that does not exist is NOT_FOUND (CP-31), and this one was deleted", codes.NotFound))
	})
}
