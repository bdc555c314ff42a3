package volume

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO may have nothing of a volume but its id. That SHOULD be enough to identify it: volume_context is OPTIONAL, and
// what is confirmed with it is confirmed without it.
func volumeIDAlone(s *harness.Suite) {
	labels := verdict.Case("volume_id_alone", "VOL-11")
	needs := harness.Needs{Volumes: 1}
	s.Case("knows a volume by its id alone", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under, creation(under))

		question := validation(under, volume, under.Mount())
		whole := harness.Need(under.Controller.ValidateVolumeCapabilities(ctx, question))
		question.VolumeContext = nil
		bare, err := under.Controller.ValidateVolumeCapabilities(ctx, question)

		if err != nil || bare.GetConfirmed() == nil && whole.GetConfirmed() != nil {
			verdict.Warn("volume_id alone should be sufficient to identify a volume (VOL-11), and is not without volume_context: %q %v", bare.GetMessage(), err)
		}
	})
}
