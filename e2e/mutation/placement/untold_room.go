// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// untoldRoom returns wrong drivers that do not report room: only the volumes that they make show it.
func untoldRoom() map[string]mutation.Expectation {
	without := mutation.Lacking(csi.ControllerServiceCapability_RPC_GET_CAPACITY)
	lists := func(r *createRequest) (requisite, preferred []*csi.Topology) {
		required := r.GetAccessibilityRequirements()
		return required.GetRequisite(), required.GetPreferred()
	}
	lastFirst := mutation.Asking(func(r *createRequest) {
		_, preferred := lists(r)
		slices.Reverse(preferred)
	})
	of := func(holds func(requisite, preferred []*csi.Topology) bool) func(*createRequest) bool {
		return func(r *createRequest) bool { return holds(lists(r)) }
	}
	full := func(holds func(requisite, preferred []*csi.Topology) bool) mutation.Fault {
		return mutation.RefusingSome(codes.ResourceExhausted, "the zone is out of stock", of(holds)).Over(without)
	}
	return map[string]mutation.Expectation{
		"no capacity told: the last of preferred comes first": mutation.Wide(lastFirst.Over(without), mutation.Fails("T-PF-2a T-PO-1", "PF-03")),
		"no capacity told: out of stock wherever preferred is shorter than requisite": mutation.Wide(
			full(func(requisite, preferred []*csi.Topology) bool {
				return len(preferred) > 0 && len(preferred) < len(requisite)
			}), mutation.Fails("T-PF-1a T-PF-2a", "PF-03")),
		"no capacity told: out of stock where two topologies are requisite and none is preferred": mutation.Wide(
			full(func(requisite, preferred []*csi.Topology) bool { return len(requisite) > 1 && len(preferred) == 0 }),
			mutation.Fails("T-LT-1", "TR-11")),
	}
}
