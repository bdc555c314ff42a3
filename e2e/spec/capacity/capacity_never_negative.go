package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// No size in an answer is negative, whatever is asked for. maximum_volume_size and minimum_volume_size may be unset.
func capacityNeverNegative(s *harness.Suite) {
	labels := verdict.Case("capacity_never_negative", "CAP-13", "CAP-16", "CAP-17", "CAP-22", "CAP-23")
	needs := harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("tells no negative size for any segment, kind of volume or capability", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, segment := range everywhere(under) {
			for _, x := range kinds(under) {
				plain, mounted := requestFor(under, x, segment), requestFor(under, x, segment)
				mounted.VolumeCapabilities = []*csi.VolumeCapability{under.Mount()}
				for _, request := range []*csi.GetCapacityRequest{plain, mounted} {
					gomega.Expect(negative(tell(ctx, under, request))).To(gomega.BeEmpty(), "GetCapacity was asked for %v", request)
				}
			}
		}
	})
}
