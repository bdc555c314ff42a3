package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Of several calls that delete one volume each does so, or finds it gone, or is ABORTED. Afterwards it is gone.
func concurrentDeletion(s *harness.Suite) {
	labels := verdict.Case("concurrent_deletion", "DV-01", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	s.Case("deletes a volume by several calls at once", labels, claiming(), func(ctx context.Context, under *harness.Driver) {
		request := &csi.DeleteVolumeRequest{VolumeId: made(ctx, under).GetVolumeId(), Secrets: under.Profile().Secrets.DeleteVolume}
		harness.Graceful(harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
			return under.Controller.DeleteVolume(ctx, request)
		}))

		_, err := under.Controller.DeleteVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a call that no other is pending with is answered (DV-01)")
	})
}
