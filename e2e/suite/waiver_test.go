// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestWaivers(t *testing.T) {
	one, two, whole := Waiver{Requirement: "MUST-1", Reason: "one zone"}, Waiver{Requirement: "MUST-2", Reason: "no room"}, Waiver{Case: "T-1", Reason: "by design"}
	fails := func(clauses ...string) func(context.Context) {
		return func(context.Context) { FailAbout(clauses, "wrong") }
	}
	warns := func(ctx context.Context) { Warn(ctx, "MUST-1", "slow") }
	for _, c := range []struct {
		name      string
		waivers   []Waiver
		run       func(context.Context)
		cleanUp   func(context.Context)
		want      Verdict
		decidedBy DecidedBy
		reason    string
		blamed    []string
		setAside  []string // the clauses, by the reason of the waiver
	}{
		{name: "holds", waivers: []Waiver{one, whole}, run: func(context.Context) {}, want: Passed},
		{name: "fails by what is waived", waivers: []Waiver{one}, run: fails("MUST-1"), want: Skipped, decidedBy: ByWaiver, reason: "MUST-1: one zone", setAside: []string{"one zone MUST-1"}},
		{name: "fails by something else", waivers: []Waiver{one}, run: fails("MUST-2"), want: Failed, blamed: []string{"MUST-2"}},
		{name: "fails by something else too", waivers: []Waiver{one}, run: fails("MUST-1", "MUST-2"), want: Failed, blamed: []string{"MUST-2"}, setAside: []string{"one zone MUST-1"}},
		{name: "fails by two that are waived", waivers: []Waiver{one, two}, run: fails("MUST-1", "MUST-2"), want: Skipped, decidedBy: ByWaiver,
			reason: "MUST-1: one zone; MUST-2: no room", setAside: []string{"one zone MUST-1", "no room MUST-2"}},
		{name: "what is left is a SHOULD", waivers: []Waiver{one}, run: fails("MUST-1", "SHOULD-1"), want: Warned, blamed: []string{"SHOULD-1"}, setAside: []string{"one zone MUST-1"}},
		{name: "fails without a clause", waivers: []Waiver{one}, run: fails(), want: Failed, blamed: []string{"MUST-2"}, setAside: []string{"one zone MUST-1"}},
		{name: "warns by what is waived", waivers: []Waiver{one}, run: warns, want: Skipped, decidedBy: ByWaiver, reason: "MUST-1: one zone", setAside: []string{"one zone MUST-1"}},
		{name: "warns of it and fails by another", waivers: []Waiver{one}, run: func(ctx context.Context) { warns(ctx); Fail("MUST-2", "wrong") }, want: Failed,
			blamed: []string{"MUST-2"}, setAside: []string{"one zone MUST-1"}},
		{name: "fails by it and warns of another", waivers: []Waiver{one}, run: func(ctx context.Context) { Warn(ctx, "SHOULD-1", "late"); Fail("MUST-1", "wrong") }, want: Warned,
			blamed: []string{"SHOULD-1"}, setAside: []string{"one zone MUST-1"}},
		{name: "the clean-up fails too", waivers: []Waiver{one}, run: fails("MUST-1"), cleanUp: func(context.Context) { CouldNotTell("a volume is left") }, want: Errored, reason: CouldNot,
			setAside: []string{"one zone MUST-1"}},
		{name: "the clean-up contradicts what is waived", waivers: []Waiver{one}, run: func(context.Context) {}, cleanUp: fails("MUST-1"), want: Skipped, decidedBy: ByWaiver, reason: "MUST-1: one zone",
			setAside: []string{"one zone MUST-1"}},
		{name: "cannot tell", waivers: []Waiver{one}, run: func(context.Context) { CouldNotTell("no room") }, want: Errored, reason: CouldNot},
		{name: "skips itself", waivers: []Waiver{one, whole}, run: func(context.Context) { Skip(ByProfile, "no block") }, want: Skipped, decidedBy: ByProfile, reason: "no block"},
		{name: "of the case, which fails", waivers: []Waiver{one, whole}, run: fails("MUST-1", "MUST-2"), want: Skipped, decidedBy: ByWaiver, reason: "by design",
			setAside: []string{"by design MUST-1 MUST-2"}},
		{name: "of the case, which cannot tell", waivers: []Waiver{whole}, run: func(context.Context) { CouldNotTell("no room") }, want: Skipped, decidedBy: ByWaiver, reason: "by design",
			setAside: []string{"by design MUST-1 MUST-2"}},
		{name: "of the case, which is left out", waivers: []Waiver{whole}, run: func(context.Context) { LeaveOut("the driver is gone") }, want: Errored, reason: NotRun},
		{name: "of another case", waivers: []Waiver{{Case: "T-2", Reason: "by design"}}, run: fails("MUST-1"), want: Failed, blamed: []string{"MUST-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tier := stage{}
			if c.cleanUp != nil {
				tier.cleanUp = func(ctx context.Context, _ string) { c.cleanUp(ctx) }
			}
			waived := Case[string]{ID: "T-1", Requirements: []string{"MUST-1", "MUST-2"}, Run: func(ctx context.Context, _ string) { c.run(ctx) }}
			r := Runner[string]{Stage: tier, Waivers: c.waivers, Lookup: byName}
			got := r.One(t.Context(), waived, List([]Area[string]{{Cases: []Case[string]{waived}}})[0])
			if got.Verdict != c.want || got.DecidedBy != c.decidedBy || got.Reason != c.reason || !cmp.Equal(c.blamed, got.Blamed, cmpopts.EquateEmpty()) {
				t.Errorf("want %s by %q for %q that blames %q, got %+v", c.want, c.decidedBy, c.reason, c.blamed, got)
			}
			var setAside []string
			for _, a := range got.Waived {
				setAside = append(setAside, a.Reason+" "+strings.Join(a.Clauses, " "))
			}
			if diff := cmp.Diff(c.setAside, setAside); diff != "" {
				t.Errorf("set aside (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWaiversThatAreNoLongerNeeded(t *testing.T) {
	of := func(id string, r Result, requirements ...string) Result {
		r.ID, r.Requirements = id, requirements
		return r
	}
	w := Waiver{Requirement: "MUST-1", Reason: "one zone"}
	waived := of("a", Result{Verdict: Skipped, DecidedBy: ByWaiver, Waived: []SetAside{{Waiver: w}}}, "MUST-1")
	held, other := of("b", Result{Verdict: Passed}, "MUST-1"), of("c", Result{Verdict: Failed}, "MUST-2")
	for _, c := range []struct {
		name      string
		waiver    Waiver
		given     []Result
		ids       []string
		notNeeded bool
	}{
		{name: "sets something aside", waiver: w, given: []Result{waived, held}, ids: []string{"a"}},
		{name: "all hold", waiver: w, given: []Result{held, other}, notNeeded: true},
		{name: "is about no case", waiver: w, given: []Result{other}},
		{name: "a case was not asked for", waiver: w, given: []Result{held, of("d", Result{Verdict: Skipped, DecidedBy: ByFilter}, "MUST-1")}},
		{name: "a case could not tell", waiver: w, given: []Result{held, of("d", Result{Verdict: Errored}, "MUST-1")}},
		{name: "a case failed before it came to it", waiver: w, given: []Result{held, of("d", Result{Verdict: Failed}, "MUST-1")}},
		{name: "a case warns of something else and goes on", waiver: w, given: []Result{of("d", Result{Verdict: Warned, Whole: true}, "MUST-1")}, notNeeded: true},
		{name: "what the driver does not claim", waiver: w, given: []Result{held, of("d", Result{Verdict: Skipped, DecidedBy: ByCapability}, "MUST-1")}, notNeeded: true},
		{name: "nothing was exercised", waiver: w, given: []Result{of("d", Result{Verdict: Skipped, DecidedBy: ByCapability}, "MUST-1")}},
		{name: "a case that holds", waiver: Waiver{Case: "b", Reason: "known"}, given: []Result{held, other}, notNeeded: true},
		{name: "a case that another waiver is about", waiver: w, given: []Result{held, of("d", Result{Verdict: Skipped, DecidedBy: ByWaiver}, "MUST-1")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ids, notNeeded := c.waiver.SetAsideBy(c.given)
			if !cmp.Equal(c.ids, ids) || notNeeded != c.notNeeded {
				t.Errorf("want %q, and that it is no longer needed: %t; got %q, %t", c.ids, c.notNeeded, ids, notNeeded)
			}
		})
	}
}
