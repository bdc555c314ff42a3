// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func TestOutcomeOfABody(t *testing.T) {
	for _, c := range []struct {
		name  string
		given func()
		want  Mark
	}{
		{"fails", func() { Fail("TR-07", "got %s", "Z3") }, Mark{Verdict: Failed, Message: "got Z3"}},
		{"a condition that does not hold", func() { Must("TR-07", false, "got Z3") }, Mark{Verdict: Failed, Message: "got Z3"}},
		{"could not tell", func() { CouldNotTell("no answer") }, Mark{Verdict: Errored, Message: "no answer"}},
		{"skips", func() { Skip(ByProfile, "no block") }, Mark{Verdict: Skipped, DecidedBy: ByProfile, Message: "no block"}},
		{"panics", func() { panic("a bug") }, Mark{Verdict: Errored, Message: "the case panicked: a bug"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o Outcome
			o.Run(c.given)
			if o.End == nil || o.End.Verdict != c.want.Verdict || o.End.DecidedBy != c.want.DecidedBy || !strings.HasPrefix(o.End.Message, c.want.Message) {
				t.Errorf("ended with %+v, want %+v", o.End, c.want)
			}
		})
	}
	var o Outcome
	o.Run(func() {
		Must("TR-07", true, "got Z3")
	})
	if o.End != nil {
		t.Errorf("a body that holds ended with %+v", o.End)
	}
}

func TestEach(t *testing.T) {
	says := map[string]func(){
		"holds":                   func() {},
		"fails":                   func() { Fail("TR-07", "got Z3") },
		"fails by another clause": func() { FailAbout([]string{"TR-04", "GEN-12"}, "got Z4") },
		"could not tell":          func() { CouldNotTell("no answer") },
		"skips":                   func() { Skip(ByProfile, "no block") },
	}
	for _, c := range []struct {
		given []string
		want  *Mark
	}{
		{[]string{"holds", "holds"}, nil},
		{[]string{"fails", "holds", "fails by another clause"}, &Mark{Verdict: Failed, Clauses: []string{"GEN-12", "TR-04", "TR-07"}, Message: "got Z3\ngot Z4"}},
		{[]string{"fails", "fails"}, &Mark{Verdict: Failed, Clauses: []string{"TR-07"}, Message: "got Z3"}},
		{[]string{"could not tell", "skips", "fails"}, &Mark{Verdict: Failed, Clauses: []string{"TR-07"}, Message: "got Z3"}},
		{[]string{"skips", "could not tell", "holds"}, &Mark{Verdict: Errored, Message: "no answer"}},
		{[]string{"holds", "skips"}, &Mark{Verdict: Skipped, Message: "no block"}},
	} {
		t.Run(strings.Join(c.given, ", "), func(t *testing.T) {
			var o Outcome
			o.Run(func() { Each(c.given, func(what string) { says[what]() }) })
			switch {
			case c.want == nil && o.End == nil:
			case c.want == nil || o.End == nil || o.End.Verdict != c.want.Verdict || o.End.Message != c.want.Message || !slices.Equal(o.End.Clauses, c.want.Clauses):
				t.Errorf("ended with %+v, want %+v", o.End, c.want)
			}
		})
	}
}

func TestOverrule(t *testing.T) {
	warn := func(ctx context.Context) { Warn(ctx, "GEN-02", "late") }
	for _, c := range []struct {
		name  string
		given func(ctx context.Context)
		want  Verdict
		told  bool
	}{
		{"a case that held", func(context.Context) {}, Passed, false},
		{"a skipped case", func(context.Context) { Skip(ByProfile, "no block") }, Skipped, false},
		{"a warning", warn, Errored, true},
		{"a failure after a warning", func(ctx context.Context) { warn(ctx); Fail("TR-07", "wrong") }, Errored, true},
		{"an error", func(context.Context) { CouldNotTell("no answer") }, Errored, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			const why = "there is no mkfs"
			var o Outcome
			o.Run(func() { c.given(With(t.Context(), &o)) })
			o.Overrule(Mark{Verdict: Errored, Reason: CouldNot, Message: why})
			got := o.Result(NewListed("T-1", "area", "text", nil), byName)
			if got.Verdict != c.want || c.told && got.Message != why || !c.told && got.Message == why {
				t.Errorf("got %+v, want %s", got, c.want)
			}
		})
	}
}

func TestWhatIsSaidWhileCleaningUp(t *testing.T) {
	failed := func(clause string) func() { return func() { Fail(clause, "wrong") } }
	stuck := func() { CouldNotTell("volume a is left") }
	for _, c := range []struct {
		name          string
		during, after func()
		want          Verdict
		message       string
	}{
		{"a body that held, and a clean-up that failed", func() {}, stuck, Errored, "volume a is left"},
		{"both failed", failed("TR-07"), stuck, Failed, "wrong\nthen, while cleaning up: volume a is left"},
		{"a clean-up that held", failed("TR-07"), func() {}, Failed, "wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var body, after Outcome
			body.Run(c.during)
			after.Run(c.after)
			body.Then(&after)
			if body.End == nil || body.End.Verdict != c.want || body.End.Message != c.message {
				t.Errorf("ended with %+v, want %s, %q", body.End, c.want, c.message)
			}
		})
	}
}
