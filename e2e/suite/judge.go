// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Fail ends the case: an answer of the driver contradicts the clause, which is a MUST. The message says what was asked,
// what the clause demands and what came instead.
func Fail(clause, text string, args ...any) {
	FailAbout([]string{clause}, text, args...)
}

// About has a failure that names no clause, and ends the judgement, be about these clauses.
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

// Warn records that an answer contradicts the clause, which is a SHOULD, or that users will regret it. The case goes on.
func Warn(ctx context.Context, clause, text string, args ...any) {
	WarnAbout(ctx, []string{clause}, text, args...)
}

// WarnAbout is Warn for an answer that concerns several clauses.
func WarnAbout(ctx context.Context, clauses []string, text string, args ...any) {
	outcomeOf(ctx).add(Mark{Verdict: Warned, Clauses: clauses, Message: fmt.Sprintf(text, args...)})
}

// Should warns by the clause unless the condition holds. The case goes on.
func Should(ctx context.Context, clause string, holds bool, text string, args ...any) {
	if !holds {
		Warn(ctx, clause, text, args...)
	}
}

// CouldNotTell ends the case as an error: the suite found no evidence either way. The message says what was wanted and
// what stood in the way.
func CouldNotTell(text string, args ...any) {
	panic(ending{Mark{Verdict: Errored, Reason: CouldNot, Message: fmt.Sprintf(text, args...), At: decidedAt()}})
}

// LeaveOut ends the case as one that was asked for and did not run, and says why.
func LeaveOut(text string, args ...any) {
	panic(ending{Mark{Verdict: Errored, Reason: NotRun, Message: fmt.Sprintf(text, args...)}})
}

// Skip ends the case as not exercised, says who decided so, and why.
func Skip(by DecidedBy, text string, args ...any) {
	panic(ending{Mark{Verdict: Skipped, DecidedBy: by, Message: fmt.Sprintf(text, args...)}})
}

// Reduced records that the environment lets the case show less than it does in full, once for the same reason. The case
// goes on.
func Reduced(ctx context.Context, text string, args ...any) {
	mark := Mark{Verdict: Passed, DecidedBy: ByEnvironment, Message: fmt.Sprintf(text, args...)}
	if o := outcomeOf(ctx); !o.has(mark.Message) {
		o.add(mark)
	}
}

// Evidence adds what the case saw to its report, under a name.
func Evidence(ctx context.Context, name string, value any) {
	outcomeOf(ctx).prove(name, value)
}

// FailAbout is Fail for an answer that contradicts several clauses.
func FailAbout(clauses []string, text string, args ...any) {
	panic(ending{Mark{Verdict: Failed, Clauses: clauses, Message: fmt.Sprintf(text, args...), At: decidedAt()}})
}

// Record keeps how to read the calls that were made for the case and where its volumes and pods were. Either may be nil.
func Record(ctx context.Context, calls Recording, placed Placing) {
	outcomeOf(ctx).Record(calls, placed)
}

// Each asks about each of the items, whatever has become of those before, and then ends the case as they did: as failed by
// all that any of them contradicted, else as the first that could not be told, else as the first that was skipped.
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

// merged is one mark of several failures, which says the same only once.
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
