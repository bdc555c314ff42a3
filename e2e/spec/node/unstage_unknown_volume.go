package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that was deleted is not there to be unstaged: it is NOT_FOUND, and it is not staged either, which is OK.
func unstageUnknownVolume(s *harness.Suite) {
	labels := verdict.Case("unstage_unknown_volume", "NS-09", "NS-10", "GEN-15", "GEN-16")
	needs := staging()
	s.Case("answers OK or NOT_FOUND to NodeUnstageVolume for a volume that does not exist", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		deleted := under.DeletedVolume(ctx)

		got := unstage(ctx, node, node.NodeStageVolumeRequest(ctx, deleted, nil))

		gomega.Expect(got).To(harness.BeOKOrRefused(
			"a volume that does not exist is not staged, which is OK (NS-09), or is NOT_FOUND (NS-10)", codes.NotFound))
	})
}
