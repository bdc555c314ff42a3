package growth

import (
	"context"
	"maps"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Growth changes the size, and not where the volume is accessible from.
func growKeepsTopology(s *harness.Suite) {
	labels := verdict.Case("grow_keeps_topology", "CV-18", "VOL-08", "VOL-12", "LV-08")
	needs := controllerGrowth()
	needs.Segments, needs.Volumes = 1, 4
	s.Case("leaves accessible_topology and volume_context as they were", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))

		mustGrow(ctx, under, under.ControllerExpandVolumeRequest(volume, larger(under, volume)))

		reported := under.Reported(ctx, volume.GetVolumeId())
		if len(reported) == 0 {
			verdict.Skip(verdict.ByCapability, "ControllerGetCapabilities lists neither GET_VOLUME nor LIST_VOLUMES, which say where a volume is")
		}
		for call, now := range reported {
			segments, before := harness.Segments(now.GetAccessibleTopology()), harness.Segments(volume.GetAccessibleTopology())
			gomega.Expect(segments.Equal(before)).To(gomega.BeTrue(),
				"%s has the grown volume accessible from %s, and it was from %s: growth does not move a volume (LV-08)", call, segments, before)
			gomega.Expect(maps.Equal(now.GetVolumeContext(), volume.GetVolumeContext())).To(gomega.BeTrue(),
				"%s has volume_context %v for the grown volume, and it was %v: it is immutable (VOL-08)", call, now.GetVolumeContext(), volume.GetVolumeContext())
		}
	})
}
