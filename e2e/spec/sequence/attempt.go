// SPDX-License-Identifier: Apache-2.0

package sequence

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// mostAttempts limits how often the suite tries to make a failing plan shorter; the end of the case limits it as well.
const mostAttempts = 500

// attempts carries out parts of a failing plan, to see which of them fail by the same clause.
type attempts struct {
	*campaign
	clause string
	end    time.Time
	made   int
	// shown is the last attempt that failed.
	shown *sequence
	// stuck is the error of removing objects between two attempts.
	stuck error
}

// shrink makes a failing plan shorter. It returns an empty plan if the failure does not show again.
func (a *attempts) shrink(ctx context.Context, failing []Step) (shorter []Step, finished bool) {
	ctx = attempt.Unrecorded(ctx)
	fails := func(plan []Step) int {
		run := a.carryOut(ctx, plan)
		if run == nil || run.failure().Clause != a.clause {
			return 0
		}
		a.shown = run
		return run.taken
	}
	taken := fails(failing)
	if taken == 0 {
		return nil, false
	}
	return shrinking{a.driver.Profile().Numbers(), fails, a.over}.shrink(failing[:taken])
}

// carryOut carries a plan out on the driver once everything that the case has made is removed. It returns nil if that
// is not possible.
func (a *attempts) carryOut(ctx context.Context, plan []Step) *sequence {
	a.made++
	if a.stuck = a.driver.StartOver(ctx); a.stuck != nil {
		return nil
	}
	ctx = attempt.Tolerant(ctx) // report the failure even if a call has no answer
	run := a.begin(ctx)
	// If the failure is not one of GetCapacity, attempts do not look at the room: a driver that is slow to show it
	// would seem to fail.
	run.room.compared = a.clause == roomClause
	run.end = a.end
	run.hasty = true
	run.carryOut(ctx, plan)
	return run
}

// over reports whether it is time to stop.
func (a *attempts) over() bool {
	return a.stuck != nil || a.made >= mostAttempts || time.Now().After(a.end)
}

// explain describes the failures, each with the shortest part of the plan that shows it.
func (c *campaign) explain(ctx context.Context, plan []Step, end time.Time) string {
	var texts []string
	for i, f := range c.failures {
		// The remaining failures share the remaining time.
		until := time.Now().Add(time.Until(end) / time.Duration(len(c.failures)-i))
		texts = append(texts, c.explainOne(ctx, f, fmt.Sprintf("found by step %d of %d%s", f.last, len(plan), c.by), until))
	}
	return strings.Join(texts, "\n\n")
}

// explainOne describes the failure; if no part of the plan fails again by the same clause, with the whole sequence.
func (c *campaign) explainOne(ctx context.Context, f failure, by string, end time.Time) string {
	found := withoutPlace(fmt.Sprintf("%s\n%s", f.failure(), by))
	if c.driver.Target.Unexplained {
		return found + "; " + f.tail(ctx)
	}
	a := &attempts{campaign: c, clause: f.failure().Clause, end: end}
	shorter, finished := a.shrink(ctx, f.plan)
	if len(shorter) == 0 {
		return fmt.Sprintf("%s\n%s; %s", found, a.notAgain(), f.tail(ctx))
	}
	of := fmt.Sprintf("%d steps show it, and all of them are needed", len(shorter))
	switch {
	case !finished:
		of = fmt.Sprintf("%d steps show it, and perhaps fewer do: there was time for %d attempts only", len(shorter), a.made)
	case len(shorter) == 1:
		of = "1 step shows it"
	}
	return fmt.Sprintf("%s\n%s, when the case has created nothing else:\n%s", found, of, a.shown)
}

// mostShown is the number of steps that a message shows of a sequence that cannot be made shorter.
const mostShown = 10

// tail returns the last requests, if there is no shorter sequence. The evidence in the report contains all of a longer
// sequence.
func (f failure) tail(ctx context.Context) string {
	steps := f.steps()
	if len(steps) <= mostShown {
		return "all requests:\n" + strings.Join(steps, "\n")
	}
	name := "all steps before " + f.failure().Clause
	suite.Evidence(ctx, name, steps)
	return fmt.Sprintf("the last %d of %d steps, which are all in the report under %q:\n%s",
		mostShown, len(steps), name, strings.Join(steps[len(steps)-mostShown:], "\n"))
}

// notAgain explains why there is no shorter sequence.
func (a *attempts) notAgain() string {
	if a.stuck != nil {
		return fmt.Sprintf("it could not be tried again, as what was made could not be removed: %v", a.stuck)
	}
	if a.over() {
		return "there was no time to try again"
	}
	return "the same requests did not fail again after everything was removed: the driver is not deterministic, or keeps traces of what is removed"
}
