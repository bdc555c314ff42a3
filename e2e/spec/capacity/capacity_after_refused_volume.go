package capacity

import (
	"context"

	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume that could not be made takes nothing.
func capacityAfterRefusedVolume(s *harness.Suite) {
	labels := verdict.Case("capacity_after_refused_volume", "CAP-11", "CAP-12", "CV-07", "CVE-01", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true}
	s.Case("tells as much as before after a volume was refused", labels, needs, func(ctx context.Context, under *harness.Driver) {
		const moreThanThereIs = 1 << 60

		refused := under.CreateVolume(ctx, in(under.Volume(1), under.Z2).OfBytes(moreThanThereIs))

		gomega.Expect(refused).To(harness.LeaveNothingBehind())
	})
}
