package volume

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO may have nothing of a volume but its id. That SHOULD be enough to identify it.
func volumeIDAlone(s *harness.Suite) {
	labels := verdict.Case("volume_id_alone", "VOL-11")
	needs := harness.Needs{Volumes: 1}
	s.Case("knows a volume by its id alone", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under, creation(under))

		bare := validation(under, volume, under.Mount())
		bare.VolumeContext = nil
		_, err := under.Controller.ValidateVolumeCapabilities(ctx, bare)

		if err != nil {
			verdict.Warn("volume_id alone should be sufficient to identify a volume (VOL-11), and is not without volume_context: %v", err)
		}
	})
}
