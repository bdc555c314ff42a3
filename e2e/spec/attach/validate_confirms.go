package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// What a volume was made with is confirmed: the plugin answers with the capabilities that it has looked at.
func validateConfirms(s *harness.Suite) {
	labels := verdict.Case("validate_confirms", "CV-12", "CV-14")
	needs := harness.Needs{Volumes: 1}
	s.Case("confirms the capabilities that a volume was made with", labels, needs, func(ctx context.Context, under *harness.Driver) {
		volume := under.NeedVolume(ctx, under.Volume(1))

		response, err := under.Controller.ValidateVolumeCapabilities(ctx, validation(under, volume, under.Mount()))

		gomega.Expect(err).To(harness.BeOK("ValidateVolumeCapabilities answers for a volume that exists"))
		gomega.Expect(response.GetConfirmed()).NotTo(gomega.BeNil(), "the volume satisfies what it was made with (CV-12): %s", response.GetMessage())
		gomega.Expect(response.GetConfirmed().GetVolumeCapabilities()).To(gomega.HaveLen(1), "what is confirmed has the capabilities that were validated: the one that was asked for (CV-14)")
	})
}
