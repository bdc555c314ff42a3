package capacity

import (
	"context"
	"math"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A volume of a byte more than maximum_volume_size cannot be made: OUT_OF_RANGE for a size that no volume may have, and
// RESOURCE_EXHAUSTED for one that there is no room for.
func capacityMoreThanMaximum(s *harness.Suite) {
	labels := verdict.Case("capacity_more_than_maximum", "CAP-14", "CAP-15", "CVE-08", "CVE-11", "CV-07", "GEN-15", "GEN-16", "K8S-D16")
	needs := harness.Needs{Volumes: 1, ExactCapacity: true}
	s.Case("refuses a volume of a byte more than maximum_volume_size", labels, needs, func(ctx context.Context, under *harness.Driver) {
		judged := 0
		for _, x := range kinds(under) {
			maximum := tell(ctx, under, requestFor(under, x, under.Z2)).GetMaximumVolumeSize()
			if maximum == nil || maximum.GetValue() == math.MaxInt64 {
				continue
			}
			judged++
			expectTooLarge(under.CreateVolume(ctx, in(under.Volume(x), under.Z2).OfBytes(maximum.GetValue()+1)), maximum.GetValue())
		}
		if judged == 0 {
			verdict.Skip(verdict.ByCapability, "GetCapacity tells no maximum_volume_size, which is OPTIONAL (CAP-16)")
		}
	})
}
