// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Fail ends the case: an answer of the driver contradicts the clause, which is a MUST. The message states the request, the
// demand of the clause, and the answer.
func Fail(clause, text string, args ...any) {
	FailAbout([]string{clause}, text, args...)
}

// About runs judge. A failure in it that names no clause is about these clauses.
//
//	About([]string{"TR-07"}, func() { s.Check(accessibleFrom(volume, zones)) })
func About(clauses []string, judge func()) {
	var o Outcome
	o.Run(judge)
	if o.End == nil {
		return
	}
	end := *o.End
	if end.Verdict == Failed && len(end.Clauses) == 0 {
		end.Clauses = clauses
	}
	panic(ending{end})
}

// Must fails the case by the clause unless the condition holds.
//
//	Must("CR-05", size <= limit, "the volume has %d bytes, more than limit_bytes, which is %d", size, limit)
func Must(clause string, holds bool, text string, args ...any) {
	if !holds {
		Fail(clause, text, args...)
	}
}

// Warn records that an answer contradicts the clause, which is a SHOULD, or that users will regret the answer. The case goes
// on.
func Warn(ctx context.Context, clause, text string, args ...any) {
	WarnAbout(ctx, []string{clause}, text, args...)
}

// WarnAbout warns as Warn does, about an answer that concerns several clauses.
func WarnAbout(ctx context.Context, clauses []string, text string, args ...any) {
	outcomeOf(ctx).add(Mark{Verdict: Warned, Clauses: clauses, Message: fmt.Sprintf(text, args...)})
}

// Should warns by the clause unless the condition holds. The case goes on.
func Should(ctx context.Context, clause string, holds bool, text string, args ...any) {
	if !holds {
		Warn(ctx, clause, text, args...)
	}
}

// CouldNotTell ends the case as an error: the suite found no evidence either way. The message states the goal and the
// obstacle.
func CouldNotTell(text string, args ...any) {
	panic(ending{Mark{Verdict: Errored, Reason: CouldNot, Message: fmt.Sprintf(text, args...), At: decidedAt()}})
}

// LeaveOut ends the case as selected but not run. The text is the reason.
func LeaveOut(text string, args ...any) {
	panic(ending{Mark{Verdict: Errored, Reason: NotRun, Message: fmt.Sprintf(text, args...)}})
}

// Skip ends the case as not exercised. by says who decided so, and the text is the reason.
func Skip(by DecidedBy, text string, args ...any) {
	panic(ending{Mark{Verdict: Skipped, DecidedBy: by, Message: fmt.Sprintf(text, args...)}})
}

// Reduced records that the case shows less than in full because of the environment; the same reason is recorded once.
// The case goes on.
func Reduced(ctx context.Context, text string, args ...any) {
	mark := Mark{Verdict: Passed, DecidedBy: ByEnvironment, Message: fmt.Sprintf(text, args...)}
	if o := outcomeOf(ctx); !o.has(mark.Message) {
		o.add(mark)
	}
}

// Evidence adds an observation to the report of the case, under a name.
func Evidence(ctx context.Context, name string, value any) {
	outcomeOf(ctx).prove(name, value)
}

// FailAbout ends the case as Fail does, about an answer that contradicts several clauses.
func FailAbout(clauses []string, text string, args ...any) {
	panic(ending{Mark{Verdict: Failed, Clauses: clauses, Message: fmt.Sprintf(text, args...), At: decidedAt()}})
}

// Record keeps the Recording of the case's calls, and the Placing of its volumes and pods. Either may be nil.
func Record(ctx context.Context, calls Recording, placed Placing) {
	outcomeOf(ctx).Record(calls, placed)
}

// Each calls ask for each of the items, even after a failure, and then ends the case: with all failures, else with the first
// error, else with the first skip.
func Each[Item any](items []Item, ask func(Item)) {
	var failed, others []Mark
	for _, item := range items {
		var o Outcome
		o.Run(func() { ask(item) })
		switch {
		case o.End == nil:
		case o.End.Verdict == Failed:
			failed = append(failed, *o.End)
		default:
			others = append(others, *o.End)
		}
	}
	if len(failed) > 0 {
		panic(ending{merged(failed)})
	}
	for _, verdict := range []Verdict{Errored, Skipped} {
		for _, mark := range others {
			if mark.Verdict == verdict {
				panic(ending{mark})
			}
		}
	}
}

// merged returns one mark for several failures. It contains equal messages only once.
func merged(failed []Mark) Mark {
	whole := failed[0]
	whole.Clauses = slices.Clone(whole.Clauses)
	for _, mark := range failed[1:] {
		whole.Clauses = append(whole.Clauses, mark.Clauses...)
		if !strings.Contains(whole.Message, mark.Message) {
			whole.Message += "\n" + mark.Message
		}
	}
	slices.Sort(whole.Clauses)
	whole.Clauses = slices.Compact(whole.Clauses)
	return whole
}
