package attach

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Secrets are OPTIONAL: a plugin whose profile names none does without.
func attachWithoutSecrets(s *harness.Suite) {
	labels := verdict.Case("attach_without_secrets", "CP-17", "CU-13")
	needs := attaching(1)
	s.Case("publishes and unpublishes a volume without secrets", labels, needs, func(ctx context.Context, under *harness.Driver) {
		secrets := under.Profile().Secrets
		if len(secrets.ControllerPublishVolume) > 0 || len(secrets.ControllerUnpublishVolume) > 0 {
			verdict.Skip(verdict.ByProfile, "the profile has secrets for ControllerPublishVolume or ControllerUnpublishVolume")
		}
		node := under.Nodes[0]
		volume := under.NeedVolume(ctx, under.VolumeFor(node))

		gomega.Expect(publish(ctx, under, under.ControllerPublishVolumeRequest(volume, node))).To(harness.BeOK(
			"secrets are OPTIONAL (CP-17), and the profile names none for ControllerPublishVolume"))
		gomega.Expect(unpublish(ctx, under, under.ControllerUnpublishVolumeRequest(volume, node))).To(harness.BeOK(
			"secrets are OPTIONAL (CU-13), and the profile names none for ControllerUnpublishVolume"))
	})
}
