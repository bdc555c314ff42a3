// SPDX-License-Identifier: Apache-2.0

package suite

import (
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
