// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// scenario is one call, and the state before it.
type scenario struct {
	name string
	// rpc is the name under which the cases of the scenario are counted.
	rpc string
	// given creates the state before the call, without a fault.
	given []func(*life)
	// call is made with the fault, and then again.
	call request
	// full is the code of the call when the disk is full.
	full codes.Code
	// between is true for a call that a crash may leave unfinished, in a state between those before and after the call,
	// until it is repeated.
	between bool
}

// reference is the result of a scenario without a fault.
type reference struct {
	events        []event
	answer        []string
	empty         []string
	before, after []string
}

// begin starts a life and creates the state before the call.
func (s scenario) begin(t *testing.T) *life {
	t.Helper()
	l := newLife(t)
	for _, make := range s.given {
		make(l)
	}
	return l
}

// run runs the scenario without a fault, and returns the result.
func (s scenario) run(t *testing.T) reference {
	t.Helper()
	var r reference
	l := newLife(t)
	r.empty = l.state()
	for _, make := range s.given {
		make(l)
	}
	r.before = l.state()
	answer, err := l.send(s.call, fault{})
	must(t, err)
	r.events = l.last // before another call replaces them
	r.answer, r.after = l.answerLines(answer), l.state()
	if len(r.events) == 0 {
		t.Fatal("the call takes no durable step, so that there is nothing to crash at")
	}
	l.wantRepeated(s, r)
	l.wantEmpty(r)
	return r
}

// answerLines returns the answer in a form that is the same in every life.
func (l *life) answerLines(answer proto.Message) []string {
	return renamed([]string{text(answer)}, l.names)
}

// crash runs one case of the matrix. A process that survives its fault goes on or, if restarts is true, is replaced by
// another one.
func (s scenario) crash(t *testing.T, r reference, f fault, restarts bool) {
	l := s.begin(t)
	switch _, err := l.send(s.call, f); {
	case f.Event == answered:
		must(t, err)
		l.restart()
		l.wantState("after it was killed behind its answer", r.after)
	case f.kills():
		if status.Code(err) != codes.Unavailable || !l.ended() {
			t.Fatalf("the process should have been killed, and the call answers %v", err)
		}
		l.restart()
		s.wantKept(l, r)
	default:
		s.wantFailed(l, f, err)
		if restarts {
			l.restart()
			s.wantKept(l, r)
		}
	}
	if f.Kind != killLast {
		l.wantRepeated(s, r)
	}
	l.wantEmpty(r)
}

// wantFailed fails the test unless the call failed with the code for the fault and, if that code promises so, left
// nothing behind.
func (s scenario) wantFailed(l *life, f fault, err error) {
	l.t.Helper()
	if !slices.Contains(l.last, f.Event) {
		l.t.Fatalf("the fault at %q did not come: there were %q", f.Event, l.last)
	}
	want := []codes.Code{codes.Internal}
	switch {
	case f.Kind == full && s.between:
		want = append(want, s.full) // depending on the part of the call
	case f.Kind == full:
		want = []codes.Code{s.full}
	}
	code := status.Code(err)
	if !slices.Contains(want, code) {
		l.t.Errorf("%s at %q is answered %s, want %s: %v", f.Kind, f.Event, code, want, err)
	}
	found := observe(l.t.Context(), l.t, l.driver)
	wrong := found.promised()
	if code == codes.ResourceExhausted && strings.HasPrefix(s.rpc, "Create") {
		wrong = found.imbalances() // nothing may be left (CREATE-08)
	}
	for _, wrong := range wrong {
		l.t.Errorf("after %s, %s", code, wrong)
	}
}

// wantKept fails the test unless, in a process that started after the fault, the effects of the call are complete or
// absent, and nothing else has changed.
func (s scenario) wantKept(l *life, r reference) {
	l.t.Helper()
	if !s.between {
		l.wantState("after the restart", r.before, r.after)
		return
	}
	found := observe(l.t.Context(), l.t, l.driver)
	now := renamed(found.lines(), l.names)
	for _, line := range r.before {
		if slices.Contains(r.after, line) && !slices.Contains(now, line) {
			l.t.Errorf("after the restart this is lost or changed, which the call does not concern: %s", line)
		}
	}
	for _, wrong := range found.imbalances() {
		l.t.Errorf("after the restart, %s", wrong)
	}
}

// wantRepeated makes the call again, or for the first time, and fails the test unless its response and the state match
// the reference.
func (l *life) wantRepeated(s scenario, r reference) {
	l.t.Helper()
	answer, err := l.send(s.call, fault{})
	if err != nil {
		l.t.Errorf("the call, repeated, is answered %v", err)
		return
	}
	if got := l.answerLines(answer); !slices.Equal(got, r.answer) {
		l.t.Errorf("the call, repeated, is answered %s, and without a fault %s", got, r.answer)
	}
	l.wantState("after the call was repeated", r.after)
}

// wantEmpty removes everything, and fails the test unless the state is the initial one.
func (l *life) wantEmpty(r reference) {
	l.t.Helper()
	l.tearDown()
	l.wantState("after everything was taken away again", r.empty)
}

// test runs all cases of the scenario.
func (s scenario) test(t *testing.T, m *matrix) {
	r := s.run(t)
	m.test(t, s.rpc, append(r.events, answered), func(t *testing.T, f fault, restarts bool) { s.crash(t, r, f, restarts) })
}

// firstWord returns the RPC that a scenario is named after.
func firstWord(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}
