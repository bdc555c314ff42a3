// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"strings"
	"time"
)

// Stage surrounds each case of a tier.
type Stage[T any] interface {
	// Open returns the value that the case works with; nothing about it is known yet. It may wait until ctx ends for a
	// resource that only one case can have at a time.
	Open(ctx context.Context, c Case[T]) T
	// Perform prepares t, skips the case if one of its needs is missing, runs it, and judges its leftovers. It reports by
	// the functions of this package.
	Perform(ctx context.Context, c Case[T], t T)
	// CleanUp removes the leftovers of the case, however it ended; said holds the findings of Perform.
	CleanUp(ctx context.Context, t T, said *Outcome)
}

// One runs the case and returns its result. If ctx ends meanwhile, the case is cut and cleaned up, and the result says so; a
// case that does not end then is left behind. A case whose result may follow from another case is run again, at most twice.
func (r *Runner[T]) One(ctx context.Context, c Case[T], as Listed) Result {
	const repetitions = 2
	var took time.Duration
	for again := 0; ; again++ {
		t, result := r.once(ctx, c, as)
		took += result.Took
		if again == repetitions || ctx.Err() != nil || r.Again == nil || !r.Again(t, result) {
			result.Took = took
			return result
		}
	}
}

// once runs the case, and returns its result and the value that it worked with.
func (r *Runner[T]) once(ctx context.Context, c Case[T], as Listed) (t T, result Result) {
	if ctx.Err() != nil {
		return t, Unrun(as, endedBefore)
	}
	t = r.Stage.Open(ctx, c)
	if ctx.Err() != nil {
		return t, Unrun(as, endedBefore)
	}
	began := time.Now()
	o := Outcome{Case: c.ID, Edit: r.Edit}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.perform(ctx, c, t, &o)
	}()
	if !r.wait(ctx, ended) {
		return t, Result{Listed: as, Verdict: Errored, Reason: Interrupted, Took: time.Since(began),
			Message: "the run was interrupted while the case ran, and the case did not end: what it made may be left"}
	}
	result = o.Result(as, r.Lookup)
	result.Took = time.Since(began) - o.waited
	return t, result
}

const (
	// noticedWithin is how long a case may take to notice that it was interrupted, before its clean-up.
	noticedWithin = 30 * time.Second
	// abortedWithin is how long a case may take to end once its clean-up was interrupted as well.
	abortedWithin = 2 * time.Second
)

// wait waits for the end of a case, or until the time that it has after an interrupt is over, and reports whether it
// ended.
func (r *Runner[T]) wait(ctx context.Context, ended <-chan struct{}) bool {
	select {
	case <-ended:
		return true
	case <-ctx.Done():
	}
	limit := time.NewTimer(noticedWithin + r.CleanUp)
	defer limit.Stop()
	select {
	case <-ended:
		return true
	case <-limit.C:
		return false
	case <-aborted(ctx):
	}
	limit.Reset(abortedWithin)
	select {
	case <-ended:
		return true
	case <-limit.C:
		return false
	}
}

// perform runs the case, cleans up after it, and collects the findings in the outcome.
func (r *Runner[T]) perform(ctx context.Context, c Case[T], t T, o *Outcome) {
	limited := ctx
	if r.Limit != nil {
		within, cancel := context.WithTimeout(ctx, r.Limit(c))
		defer cancel()
		limited = within
	}
	o.Run(func() { r.Stage.Perform(With(limited, o), c, t) })
	cut := ctx.Err() != nil
	after := Outcome{Case: c.ID, Edit: r.Edit}
	cleaning, end := CleanUp(ctx, r.CleanUp)
	defer end()
	after.Run(func() { r.Stage.CleanUp(With(cleaning, &after), t, o) })
	cut = cut || o.End == nil && Aborted(ctx) // the findings of the clean-up may follow from its abort
	if !cut {                                 // else no finding counts
		o.Waive(c.ID, c.Requirements, r.Waivers)
		after.Waive(c.ID, c.Requirements, r.Waivers)
	}
	o.Then(&after)
	if cut {
		o.Cut()
	}
}

// Cut turns findings against the driver into an error: they may follow from the interrupt.
func (o *Outcome) Cut() {
	said := strings.Join(messages(o.marks, Warned), "\n")
	switch end := o.End; {
	case end == nil || end.Verdict == Skipped:
		if said == "" {
			return
		}
	case end.Reason == NotRun:
		return
	default:
		said = end.Message
	}
	o.End = &Mark{Verdict: Errored, Reason: Interrupted, Message: "the run was interrupted while the case ran: " + said}
}
