package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that a node has for writing is not what is asked for by readonly = true.
func attachAgainReadOnly(s *harness.Suite) {
	labels := verdict.Case("attach_again_read_only", "CP-29", "CP-33", "GEN-15", "GEN-16")
	needs := attaching(1)
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)
	s.Case("answers ALREADY_EXISTS for a volume that is published read-write and asked for read-only", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := under.ControllerPublishVolumeRequest(volume, node)
		harness.Need(under.Controller.ControllerPublishVolume(ctx, request))

		request.Readonly = true

		gomega.Expect(publish(ctx, under, request)).To(harness.BeRefused(
			"a volume that is published read-write is incompatible with readonly = true (CP-33)", codes.AlreadyExists))
	})
}
