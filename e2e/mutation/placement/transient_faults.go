// SPDX-License-Identifier: Apache-2.0

package placement

import (
	"sync"

	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// transient returns drivers that ask for the call to be repeated: for ever, or until their work is done.
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
