package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ListVolumes says of a volume what CreateVolume said. An entry without accessible_topology would mean that the volume is
// accessible from everywhere, which is a warning.
func topologyListed(s *harness.Suite) {
	labels := verdict.Case("topology_listed", "LV-08", "VOL-15", "VOL-20")
	needs := harness.Needs{
		Segments: 1, Volumes: 4,
		Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_LIST_VOLUMES},
	}
	s.Case("lists a volume with the topologies that CreateVolume answered", labels, needs, func(ctx context.Context, under *harness.Driver) {
		asked := under.Volume(1).Within(under.Z2)
		first := under.CreateVolume(ctx, asked)
		gomega.Expect(first).To(harness.BeAllowedBy(model.AnswersTo(asked, under.World())))

		listed := under.ListedVolume(ctx, first.VolumeID)

		expectSameTopology("ListVolumes", "LV-08", listed, first)
	})
}
