package node

import (
	"context"

	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What is published read-only at a path is so: asked for read-write at the same path is something incompatible.
func publishReadOnly(s *harness.Suite) {
	labels := verdict.Case("publish_read_only", "NS-13", "NS-14", "GEN-09", "GEN-15", "GEN-16")
	needs := publishing()
	s.Case("publishes a volume read-only, and does not make it read-write at the same path", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		request := node.NodePublishVolumeRequest(ctx, node.Stage(ctx, under.NeedVolume(ctx, under.VolumeFor(node))))
		request.Readonly = true
		gomega.Expect(publish(ctx, node, request)).To(harness.BeOK("a volume is published with readonly = true, which every volume can be"))
		gomega.Expect(publish(ctx, node, request)).To(harness.BeOK("a volume that is published at the path already is OK, as NodePublishVolume is idempotent (NS-13)"))

		request.Readonly = false

		gomega.Expect(publish(ctx, node, request)).To(harness.BeRefused(
			"a volume that is published at the path with readonly = true is incompatible with readonly = false: ALREADY_EXISTS (GEN-09, NS-14)", codes.AlreadyExists))
	})
}
