package volume

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A plugin that claims MODIFY_VOLUME changes what the profile says that it can change. The same change again is none.
func modifyVolume(s *harness.Suite) {
	labels := verdict.Case("modify_volume", "MV-01", "MV-02")
	s.Case("changes the mutable parameters of a volume, once or twice", labels, mutableNeeds(), func(ctx context.Context, under *harness.Driver) {
		volume := made(ctx, under, creation(under))

		for _, why := range []string{
			"ControllerModifyVolume is implemented where MODIFY_VOLUME is claimed (MV-01)",
			"ControllerModifyVolume is idempotent (MV-02)",
		} {
			_, err := under.Controller.ControllerModifyVolume(ctx, modification(under, volume))
			gomega.Expect(err).NotTo(gomega.HaveOccurred(), why)
			mutated(ctx, under, volume, why)
		}
	})
}
