package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ControllerGetVolume says of a volume what CreateVolume said. A volume without accessible_topology would mean that it is
// accessible from everywhere, which is a warning.
func topologyGot(s *harness.Suite) {
	labels := verdict.Case("topology_got", "LV-15")
	needs := harness.Needs{
		Segments: 1, Volumes: 4,
		Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_VOLUME},
	}
	s.Case("answers ControllerGetVolume with the topologies that CreateVolume answered", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		got := harness.Need(under.Controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: first.VolumeID}))

		expectSameTopology("ControllerGetVolume", "LV-15", got.GetVolume(), first)
	})
}
