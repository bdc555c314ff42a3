package attach

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that is published read-only is so: who asks for it read-write at the same node asks for something incompatible.
func attachReadOnly(s *harness.Suite) {
	labels := verdict.Case("attach_read_only", "CP-14", "CP-22", "CP-29", "CP-33", "GEN-15", "GEN-16")
	needs := attaching(1)
	needs.Controller = append(needs.Controller, csi.ControllerServiceCapability_RPC_PUBLISH_READONLY)
	s.Case("publishes a volume read-only, and does not give it to the same node read-write as well", labels, needs, func(ctx context.Context, under *harness.Driver) {
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))
		request := under.ControllerPublishVolumeRequest(volume, node)
		request.Readonly = true

		first, err := under.Controller.ControllerPublishVolume(ctx, request)
		gomega.Expect(err).To(harness.BeOK("a plugin with PUBLISH_READONLY publishes volumes read-only (CP-14)"))
		again, err := under.Controller.ControllerPublishVolume(ctx, request)
		gomega.Expect(err).To(harness.BeOK("a volume that is published read-only already is OK (CP-05)"))
		gomega.Expect(again.GetPublishContext()).To(gomega.Equal(first.GetPublishContext()), "the contents of publish_context are not mutable (CP-22)")

		request.Readonly = false
		gomega.Expect(publish(ctx, under, request)).To(harness.BeRefused(
			"a volume that is published read-only is incompatible with readonly = false (CP-33)", codes.AlreadyExists))
	})
}
