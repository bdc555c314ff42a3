package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a volume was made with is confirmed, with no more said than its volume_id: the plugin answers with the capabilities
// that it has looked at.
func validateConfirms(s *harness.Suite) {
	labels := verdict.Case("validate_confirms", "CV-12", "CV-14", "VOL-11")
	needs := harness.Needs{Volumes: 1}
	s.Case("confirms the capabilities that a volume was made with", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))
		request := validation(under, volume, under.Mount())

		response, err := under.Controller.ValidateVolumeCapabilities(ctx, request)

		gomega.Expect(err).To(harness.BeOK("ValidateVolumeCapabilities answers for a volume that exists"))
		gomega.Expect(response.GetConfirmed()).NotTo(gomega.BeNil(), "the volume satisfies what it was made with (CV-12): %s", response.GetMessage())
		gomega.Expect(response.GetConfirmed().GetVolumeCapabilities()).To(gomega.HaveLen(1), "what is confirmed has the capabilities that were validated: the one that was asked for (CV-14)")

		request.VolumeContext = nil
		response, err = under.Controller.ValidateVolumeCapabilities(ctx, request)
		if err != nil || response.GetConfirmed() == nil {
			verdict.Warn("the volume_id alone should be sufficient to identify the volume (VOL-11), and volume_context is OPTIONAL: %s %v", response.GetMessage(), err)
		}
	})
}
