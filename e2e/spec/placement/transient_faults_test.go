// SPDX-License-Identifier: Apache-2.0

package placement_test

import (
	"context"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

// transient are drivers that ask for the call to be repeated: for ever, or until their work is done.
var transient = map[string]spectest.Expectation{
	"DEADLINE_EXCEEDED forever when full": {
		Driver: spectest.Driver{Target: hurry, Fault: saying(func(exhausted *status.Status) error {
			return status.Error(codes.DeadlineExceeded, exhausted.Message())
		})},
		Cases: []spectest.Case{spectest.Fails("T-EQ-1F", "CREATE-02 CREATE-08"), spectest.Fails("at_once_last_room", "CREATE-08")},
		Wide:  true,
	},
	"ABORTED until the volume is made": {
		Driver: spectest.Driver{Fault: pendingAtFirst(codes.Aborted)},
		Cases:  []spectest.Case{spectest.Passes("T-EQ-1 T-LT-1 T-PF-1a T-NR T-ID-1 at_once_two_zones")},
		Wide:   true,
	},
	"DEADLINE_EXCEEDED until the volume is made": {
		Driver: spectest.Driver{Fault: pendingAtFirst(codes.DeadlineExceeded)},
		Cases:  []spectest.Case{spectest.Passes("T-EQ-1 T-LT-1 T-PF-1a T-NR T-ID-1")},
		Wide:   true,
	},
	"UNAVAILABLE until the volume is made": {
		Driver: spectest.Driver{Fault: pendingAtFirst(codes.Unavailable)},
		Cases:  []spectest.Case{spectest.Passes("T-EQ-1 T-LT-1 T-PF-1a T-NR T-ID-1")},
		Wide:   true,
	},
}

// hurry shortens the limit of calls that are repeated until it ends.
func hurry(t *harness.Target) {
	t.Timeouts.Provision = 300 * time.Millisecond
}

// pendingAtFirst makes a driver that creates volumes in the background, and answers the first calls of a name with the
// code.
func pendingAtFirst(code codes.Code) spectest.Fault {
	const calls = 3
	var mu sync.Mutex
	asked := map[string]int{}
	return creating(func(ctx context.Context, right spectest.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		mu.Lock()
		asked[r.GetName()]++
		pending := asked[r.GetName()] < calls
		mu.Unlock()
		if pending && r.GetName() != "" {
			return nil, status.Error(code, "the volume is being created")
		}
		return right.CreateVolume(ctx, r)
	})
}
