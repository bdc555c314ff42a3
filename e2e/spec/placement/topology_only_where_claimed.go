package placement

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that says where its volumes are accessible from claims VOLUME_ACCESSIBILITY_CONSTRAINTS, without which nobody
// reads it. One that does not claim it says nothing, and its volumes are accessible from everywhere.
func topologyOnlyWhereClaimed(s *harness.Suite) {
	labels := verdict.Case("topology_only_where_claimed", "VOL-14", "VOL-17", "CV-21")
	needs := harness.Needs{Volumes: 1}
	s.Case("says where a volume is accessible from only if it claims VOLUME_ACCESSIBILITY_CONSTRAINTS", labels, needs, func(ctx context.Context, under *harness.Driver) {
		got := harness.Need(under.Controller.CreateVolume(ctx, under.CreateVolumeRequest(under.Volume(1)))).GetVolume()

		if len(got.GetAccessibleTopology()) > 0 {
			gomega.Expect(under.ClaimsPlugin(csi.PluginCapability_Service_VOLUME_ACCESSIBILITY_CONSTRAINTS)).To(gomega.BeTrue(),
				"the volume is accessible from %s, and GetPluginCapabilities does not list VOLUME_ACCESSIBILITY_CONSTRAINTS (VOL-14)",
				harness.Segments(got.GetAccessibleTopology()))
		}
	})
}
