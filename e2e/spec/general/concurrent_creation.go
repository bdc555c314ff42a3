package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A CO that has lost its state asks for one name several times at once. Some of the calls may be ABORTED, and there is one
// volume, which the next call gets.
func concurrentCreation(s *harness.Suite) {
	labels := verdict.Case("concurrent_creation", "CV-02", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	s.Case("makes one volume of several calls at once", labels, claiming(), func(ctx context.Context, under *harness.Driver) {
		request := under.CreateVolumeRequest(under.Volume(1).Within(under.Zones(1)...))
		answers := harness.Graceful(harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
			return under.Controller.CreateVolume(ctx, request)
		}))

		volume, err := under.Controller.CreateVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a call that no other is pending with is answered (CV-02)")
		for _, answer := range answers {
			gomega.Expect(answer.GetVolume().GetVolumeId()).To(gomega.Equal(volume.GetVolume().GetVolumeId()), "there is one volume of a name (CV-02)")
		}
	})
}
