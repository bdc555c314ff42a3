package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// ListVolumes says of a volume what CreateVolume said. An entry without accessible_topology would mean that the volume is
// accessible from everywhere, which is a warning.
func topologyListed(s *harness.Suite) {
	labels := verdict.Case("topology_listed", "LV-08", "VOL-17")
	needs := harness.Needs{
		Volumes:    1,
		Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_LIST_VOLUMES},
	}
	s.Case("lists a volume with the topologies that CreateVolume answered", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Zones(1)...))

		var listed *csi.Volume
		under.Eventually(ctx, func(g gomega.Gomega) {
			listed = under.ListedVolume(ctx, volume.GetVolumeId())
			g.Expect(listed).NotTo(gomega.BeNil(), "ListVolumes has the volume that CreateVolume made (LV-08)")
		})

		expectSameTopology(under, "ListVolumes", "LV-08", listed, volume)
	})
}
