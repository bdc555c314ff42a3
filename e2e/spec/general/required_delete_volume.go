package general

import (
	"context"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Without an id nothing is deleted, and nothing is well.
func requiredDeleteVolume(s *harness.Suite) {
	labels := verdict.Case("required_delete_volume", "GEN-05", "GEN-08", "GEN-09", "GEN-11", "GEN-15", "GEN-16")
	needs := claiming()
	s.Case("asks for the required field of DeleteVolume", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under)

		asksFor(ctx, under, under.Controller.DeleteVolume, under.DeleteVolumeRequest(volume), required("volume_id"))
	})
}
