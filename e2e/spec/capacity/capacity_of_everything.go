package capacity

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Every field of the request is OPTIONAL: without any of them the capacity is that of the whole storage.
func capacityOfEverything(s *harness.Suite) {
	labels := verdict.Case("capacity_of_everything", "CAP-03", "CAP-05", "CAP-09", "CAP-13")
	needs := harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("tells a capacity when it is asked for nothing in particular", labels, needs, func(ctx context.Context, under *harness.Driver) {
		response, err := under.Controller.GetCapacity(ctx, &csi.GetCapacityRequest{})

		gomega.Expect(err).To(harness.BeOK("volume_capabilities (CAP-03), parameters (CAP-05) and accessible_topology (CAP-09) are OPTIONAL"))
		gomega.Expect(negative(response)).To(gomega.BeEmpty())
	})
}
