package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that could not grow takes no more than it did.
func capacityAfterRefusedGrowth(s *harness.Suite) {
	labels := verdict.Case("capacity_after_refused_growth", "CAP-11", "CAP-12", "CE-19", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_EXPAND_VOLUME}}
	s.Case("tells as much as before after the growth of a volume was refused", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const moreThanThereIs = 1 << 60
		before := available(ctx, under, under.Z2)
		volume := under.NeedVolume(ctx, in(under.Volume(1), under.Z2))

		_, err := grow(ctx, under, volume, moreThanThereIs)

		gomega.Expect(err).To(harness.BeRefused("no volume can have an exbibyte (CE-19)", codes.OutOfRange, codes.ResourceExhausted))
		under.Eventually(ctx, func(g gomega.Gomega) {
			g.Expect(available(ctx, under, under.Z2)).To(gomega.Equal(before-bytesOf(under, volume)), "the volume of %d bytes has not grown (CAP-12)", bytesOf(under, volume))
		})
	})
}
