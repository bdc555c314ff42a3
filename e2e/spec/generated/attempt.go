package generated

import (
	"context"
	"time"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const (
	// mostAttempts and attemptsEnd bound how long a failing plan is made shorter: a slow driver gets a longer plan shown.
	mostAttempts = 500
	attemptsEnd  = time.Minute
)

// attempts carry out parts of a failing plan, to see which of them fail.
type attempts struct {
	under  *harness.Driver
	waived map[string]bool
	// comparesRoom says that the failure is one of GetCapacity. Where it is another, attempts do not look at the room: a
	// driver that takes its time to show it would seem to fail.
	comparesRoom bool
	end          time.Time
	made         int
	// stuck says what could not be removed between two attempts.
	stuck error
}

// shrink makes a failing plan shorter. Nothing is left of one that does not fail again.
func (a *attempts) shrink(ctx context.Context, failing []Step) (shorter []Step, finished bool) {
	ctx = harness.Unrecorded(ctx)
	fails := func(plan []Step) int {
		run := a.carryOut(ctx, plan)
		if run == nil || run.failure() == (model.Reason{}) {
			return 0
		}
		return run.taken
	}
	taken := fails(failing)
	if taken == 0 {
		return nil, false
	}
	var kinds []int
	for _, kind := range a.under.Profile().Volumes {
		kinds = append(kinds, kind.AccessibleFrom)
	}
	return shrinking{kinds, fails, a.over}.shrink(failing[:taken])
}

// carryOut carries a plan out on the driver when everything that the case has made is removed; nil when that cannot be
// done.
func (a *attempts) carryOut(ctx context.Context, plan []Step) *sequence {
	a.made++
	if a.stuck = a.under.StartOver(ctx); a.stuck != nil {
		return nil
	}
	ctx = harness.Tolerant(ctx) // a call without an answer is no reason to keep the failure to oneself
	run := begin(ctx, a.under, a.waived)
	run.room.compared = a.comparesRoom
	run.hasty = true
	run.carryOut(ctx, plan)
	return run
}

// over reports whether it is time to stop.
func (a *attempts) over() bool {
	return a.stuck != nil || a.made >= mostAttempts || time.Now().After(a.end)
}
