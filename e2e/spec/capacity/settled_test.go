// SPDX-License-Identifier: Apache-2.0

package capacity_test

import (
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/e2e/internal/spectest"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	wrong "github.com/csi-topo/csi-topo/e2e/mutation/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/capacity"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const neverChanges = "capacity never changes"

// TestCapacityIsWaitedForInVainOnce checks the number of calls: each look at the capacity requests the capacity of four
// segments, about ten times in a second.
func TestCapacityIsWaitedForInVainOnce(t *testing.T) {
	const most = 200 // 150 with one whole wait, and some 40 more for each other
	calls := 0
	neverSettles := mutation.Driver{
		Fault:  wrong.Drivers()[neverChanges].Fault,
		Target: func(t *harness.Target) { t.Timeouts.Settle = time.Second },
		Focus:  "capacity_(falls|returns|counts)",
	}
	for _, c := range spectest.Run(t, capacity.Areas(), neverSettles).Cases {
		if c.Calls != nil {
			calls += c.Calls.Last - c.Calls.First + 1
		}
	}
	t.Logf("the cases make %d calls", calls)
	if calls > most {
		t.Errorf("the cases make %d calls, want no more than %d: more than one of them waits as long as for the first time", calls, most)
	}
}
