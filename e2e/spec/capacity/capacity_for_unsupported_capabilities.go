package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// There is no capacity for volume_capabilities that no volume can have, as CreateVolume's refusal shows: 0, or
// INVALID_ARGUMENT. The capacity is for volumes that satisfy ALL of those given.
func capacityForUnsupportedCapabilities(s *harness.Suite) {
	labels := verdict.Case("capacity_for_unsupported_capabilities", "CAP-02", "CAP-11", "CAP-15", "CAP-26", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Volumes: 3, TrackedCapacity: true}
	s.Case("tells no capacity for capabilities that CreateVolume refuses", labels, needs, func(ctx context.Context, under *harness.Driver) {
		refused := refusedCapabilities(ctx, under)
		if len(refused) == 0 {
			verdict.Skip(verdict.ByCapability, "CreateVolume takes every capability that the case could try")
		}
		for _, capability := range refused {
			for _, all := range [][]*csi.VolumeCapability{{capability}, {under.Mount(), capability}} {
				asked := under.CapacityRequest(under.Z2)
				asked.VolumeCapabilities = all

				response, err := under.Controller.GetCapacity(ctx, asked)
				expectNone(response, err, fmt.Sprintf("CreateVolume refuses %v, and capacity is for ALL volume_capabilities (CAP-02): %v", capability, all))
			}
		}
	})
}
