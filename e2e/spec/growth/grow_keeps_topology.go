package growth

import (
	"context"
	"maps"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Growth changes the size, and not where the volume is accessible from: what a call reports of it afterwards is what
// the same call reported before. What that should be, or whether it may be left out, is for other cases to judge.
func growKeepsTopology(s *harness.Suite) {
	labels := verdict.Case("grow_keeps_topology", "CV-18", "VOL-08", "VOL-12", "LV-08")
	needs := controllerGrowth()
	needs.Segments, needs.Volumes = 1, 4
	s.Case("leaves accessible_topology and volume_context as they were", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1).Within(under.Z2))
		before := under.Reported(ctx, volume.GetVolumeId())
		if len(before) == 0 {
			verdict.Skip(verdict.ByCapability, "ControllerGetCapabilities lists neither GET_VOLUME nor LIST_VOLUMES, which say where a volume is")
		}

		grown(ctx, under, volume)

		for call, now := range under.Reported(ctx, volume.GetVolumeId()) {
			if before[call] == nil {
				continue // a list that does not have the volume
			}
			segments, were := harness.Segments(now.GetAccessibleTopology()), harness.Segments(before[call].GetAccessibleTopology())
			gomega.Expect(segments.Equal(were)).To(gomega.BeTrue(),
				"%s has the grown volume accessible from %s, and had it from %s: growth does not move a volume (LV-08)", call, segments, were)
			gomega.Expect(maps.Equal(now.GetVolumeContext(), before[call].GetVolumeContext())).To(gomega.BeTrue(),
				"%s has volume_context %v for the grown volume, and had %v: it is immutable (VOL-08)", call, now.GetVolumeContext(), before[call].GetVolumeContext())
		}
	})
}
