// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// transient returns drivers that ask for the call to be repeated: forever, or until their work is done.
func transient() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"DEADLINE_EXCEEDED forever when full": mutation.ExpectWide(mutation.Driver{Target: mutation.Hurry, Fault: mutation.Recoding[*createRequest](codes.ResourceExhausted, codes.DeadlineExceeded)},
			mutation.Fails("T-EQ-1F", "CREATE-02 CREATE-08"), mutation.Fails("at_once_last_room", "CREATE-08")),
		"ABORTED until the volume is made": mutation.Wide(pendingAtFirst(codes.Aborted),
			mutation.Passes("T-EQ-1 T-LT-1 T-PF-1a T-NR T-ID-1 at_once_two_zones")),
		"DEADLINE_EXCEEDED until the volume is made": mutation.Wide(pendingAtFirst(codes.DeadlineExceeded),
			mutation.Passes("T-EQ-1 T-LT-1 T-PF-1a T-NR T-ID-1")),
		"UNAVAILABLE until the volume is made": mutation.Wide(pendingAtFirst(codes.Unavailable),
			mutation.Passes("T-EQ-1 T-LT-1 T-PF-1a T-NR T-ID-1")),
	}
}

// pendingAtFirst makes a driver that creates volumes in the background, and answers the first calls of a name with the
// code.
func pendingAtFirst(code codes.Code) mutation.Fault {
	const calls = 3
	var mu sync.Mutex
	asked := map[string]int{}
	return mutation.RefusingSome(code, "the volume is being created", func(r *createRequest) bool {
		mu.Lock()
		asked[r.GetName()]++
		pending := asked[r.GetName()] < calls
		mu.Unlock()
		return pending && r.GetName() != ""
	})
}

// untoldRoom returns faulty drivers that do not report room: only the volumes that they create show it.
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
