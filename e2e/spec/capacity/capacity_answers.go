package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// A driver that claims GET_CAPACITY tells the capacity for volumes of a class in a segment, as Kubernetes asks for it.
// 0 is a valid answer, and no answer is not.
func capacityAnswers(s *harness.Suite) {
	labels := verdict.Case("capacity_answers", "CAP-01", "CAP-12", "CAP-26")
	needs := harness.Needs{Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("tells the capacity of every segment, as GET_CAPACITY claims", labels, needs, func(ctx context.Context, under *harness.Driver) {
		for _, segment := range everywhere(under) {
			_, err := under.Controller.GetCapacity(ctx, under.CapacityRequest(segment))

			gomega.Expect(err).To(harness.BeOK(fmt.Sprintf("GetCapacity is claimed, so it is implemented (CAP-01), and 0 would be an answer (CAP-12): %s", segment)))
		}
	})
}
