package general

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Several calls let one volume grow to one size: it has that size, and each that is not ABORTED says so.
func concurrentGrowth(s *harness.Suite) {
	labels := verdict.Case("concurrent_growth", "CE-02", "GEN-02", "GEN-03", "GEN-09", "GEN-13", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 2, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_EXPAND_VOLUME}}
	s.Case("lets a volume grow by several calls at once", labels, needs, func(ctx context.Context, under *harness.Driver) {
		request := &csi.ControllerExpandVolumeRequest{
			VolumeId:         made(ctx, under).GetVolumeId(),
			CapacityRange:    &csi.CapacityRange{RequiredBytes: 2 * under.Size()},
			VolumeCapability: under.Mount(),
			Secrets:          under.Profile().Secrets.ControllerExpandVolume,
		}
		graceful(harness.AtOnce(ctx, calls, func(ctx context.Context) (*csi.ControllerExpandVolumeResponse, error) {
			return under.Controller.ControllerExpandVolume(ctx, request)
		}))

		grown, err := under.Controller.ControllerExpandVolume(ctx, request)
		gomega.Expect(err).NotTo(gomega.HaveOccurred(), "a call that no other is pending with is answered (CE-02)")
		gomega.Expect(grown.GetCapacityBytes()).To(gomega.BeNumerically(">=", 2*under.Size()), "a volume has grown to what was asked (CE-13)")
	})
}
