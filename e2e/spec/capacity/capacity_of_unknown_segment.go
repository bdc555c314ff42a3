package capacity

import (
	"context"
	"maps"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Where no node is no volume can be, so there is no capacity: 0, or INVALID_ARGUMENT for a topology that the driver
// does not have. The specification says neither; a positive capacity would send pods there.
func capacityOfUnknownSegment(s *harness.Suite) {
	labels := verdict.Case("capacity_of_unknown_segment", "CAP-07", "CAP-26", "GEN-12", "GEN-15", "GEN-16")
	needs := harness.Needs{Segments: 1, Controller: []csi.ControllerServiceCapability_RPC_Type{csi.ControllerServiceCapability_RPC_GET_CAPACITY}}
	s.Case("tells no capacity for a topology that no node reports", labels, needs, func(ctx context.Context, under *harness.Driver) {
		nowhere := maps.Clone(under.Z2)
		for key := range nowhere {
			nowhere[key] = "csi-topo-nowhere"
		}
		for _, unknown := range (model.Set{nowhere, {"csi-topo.example/place": "nowhere"}}) {
			response, err := under.Controller.GetCapacity(ctx, under.CapacityRequest(unknown))
			expectNone(response, err, "no volume can be accessible from "+unknown.String()+", which no node reports (CAP-07)")
		}
	})
}
