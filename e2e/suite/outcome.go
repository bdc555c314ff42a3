// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Outcome collects the findings of one case while it runs. Several cases may run at once, each with a separate outcome in
// its context.
type Outcome struct {
	// Case is the id of the case.
	Case string
	// End is how the case ended before its last line; nil if it did not.
	End *Mark
	// Edit changes texts before they are kept; nil keeps them unchanged. Long texts are cut in any case.
	Edit func(text string) string

	mu     sync.Mutex
	marks  []Mark
	proof  []Proof
	aside  []SetAside
	calls  Recording
	placed Placing
	waited time.Duration
}

type outcomeKey struct{}

// With returns a context in which the functions of this package that warn find the outcome.
func With(ctx context.Context, o *Outcome) context.Context {
	return context.WithValue(ctx, outcomeKey{}, o)
}

// outcomeOf returns the outcome of the case whose context it is.
func outcomeOf(ctx context.Context) *Outcome {
	o, ok := ctx.Value(outcomeKey{}).(*Outcome)
	if !ok {
		panic("suite: want the context that the case was given, or one derived from it")
	}
	return o
}

// CaseOf returns the id of the case whose context it is, and "" of any other context.
func CaseOf(ctx context.Context) string {
	if o, ok := ctx.Value(outcomeKey{}).(*Outcome); ok {
		return o.Case
	}
	return ""
}

func (o *Outcome) add(m Mark) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.marks = append(o.marks, o.keptMark(m))
}

// has reports whether a mark has the message already.
func (o *Outcome) has(message string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.marks, func(m Mark) bool { return m.Message == message })
}

func (o *Outcome) prove(name string, value any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.proof = append(o.proof, o.keptProof(NewProof(name, value)))
}

// Record keeps the Recording of the case's calls, and the Placing of its volumes and pods. They are read once the run is
// over. Either may be nil.
func (o *Outcome) Record(calls Recording, placed Placing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls, o.placed = calls, placed
}

// Waiting calls wait, which waits for others, such as cases that run beside this one. That time does not count for the
// case.
func Waiting(ctx context.Context, wait func()) {
	began := time.Now()
	defer func() {
		o := outcomeOf(ctx)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.waited += time.Since(began)
	}()
	wait()
}

// ending is the panic that ends a case before its last line.
type ending struct{ mark Mark }

// Run runs the body until it returns or ends the case.
func (o *Outcome) Run(body func()) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case ending:
			o.EndBy(cause.mark)
		default:
			o.EndBy(Mark{Verdict: Errored, Reason: CouldNot, Message: fmt.Sprintf("the case panicked: %v\n%s", cause, debug.Stack())})
		}
	}()
	body()
}

// EndBy records that the mark ended the case.
func (o *Outcome) EndBy(m Mark) {
	m = o.keptMark(m)
	o.End = &m
}

// Overrule replaces the findings of the case by the mark, if the case warned, failed or could not tell: the mark explains
// all of them.
func (o *Outcome) Overrule(m Mark) {
	o.mu.Lock()
	defer o.mu.Unlock()
	warned := func(m Mark) bool { return m.Verdict == Warned }
	if o.End == nil && !slices.ContainsFunc(o.marks, warned) || o.End != nil && o.End.Verdict != Failed && o.End.Verdict != Errored {
		return
	}
	o.marks = slices.DeleteFunc(o.marks, warned)
	o.EndBy(m)
}

// Then adds the findings of the clean-up after the case.
func (o *Outcome) Then(after *Outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.marks, o.proof, o.aside = append(o.marks, after.marks...), append(o.proof, after.proof...), append(o.aside, after.aside...)
	switch {
	case after.End == nil:
	case o.End == nil:
		o.End = after.End
	case strings.HasPrefix(o.End.Message, after.End.Message): // the same obstacle
	default:
		o.End.Message += "\nthen, while cleaning up: " + after.End.Message
	}
}

// decidedAt returns the line of the case that called this package, directly or through packages of a harness, below the
// module's folder.
func decidedAt() string {
	const (
		deepest = 32
		module  = "github.com/csi-topo/csi-topo/"
	)
	callers := make([]uintptr, deepest)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		if name, ours := strings.CutPrefix(frame.Function, module); ours {
			folder, rest := path.Split(name)
			pkg, _, _ := strings.Cut(rest, ".")
			if folder = path.Join(folder, pkg); folder != "e2e/suite" && !strings.Contains(folder+"/", "/harness/") {
				return fmt.Sprintf("%s:%d", path.Join(folder, path.Base(frame.File)), frame.Line)
			}
		}
		if !more {
			return ""
		}
	}
}
