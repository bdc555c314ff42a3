// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// of returns the result of a case that runs the body and then the clean-up.
func of(body, cleanUp func(ctx context.Context), requirements ...string) Result {
	var o, after Outcome
	o.Run(func() { body(With(context.Background(), &o)) })
	if cleanUp != nil {
		after.Run(func() { cleanUp(With(context.Background(), &after)) })
	}
	o.Then(&after)
	var labels []string
	for _, id := range requirements {
		labels = append(labels, requirementLabel+id)
	}
	return o.Result(NewListed("T-1", "area", "text", labels), byName)
}

func TestResultOfAnOutcome(t *testing.T) {
	fail := func(context.Context) { Fail("MUST-1", "wanted Z2, got Z3") }
	couldNot := func(context.Context) { CouldNotTell("v1 is left") }
	slow := func(ctx context.Context) { Warn(ctx, "SHOULD-1", "slow") }
	reduced := func(ctx context.Context) { Reduced(ctx, "shown with %d segments", 2) }
	then := func(all ...func(context.Context)) func(context.Context) {
		return func(ctx context.Context) {
			for _, one := range all {
				one(ctx)
			}
		}
	}
	for _, c := range []struct {
		name          string
		given, during func(ctx context.Context) // the body, and the clean-up
		want          Result
	}{
		{"nothing went wrong", then(), then(), Result{Verdict: Passed}},
		{"a failure", fail, nil, Result{Verdict: Failed, Blamed: []string{"MUST-1"}, Message: "wanted Z2, got Z3"}},
		{"a failure of clauses, each named once and in order", func(context.Context) { FailAbout([]string{"MUST-2", "MUST-1", "MUST-2"}, "no") }, nil,
			Result{Verdict: Failed, Blamed: []string{"MUST-1", "MUST-2"}, Message: "no"}},
		{"a failure, and another of the clean-up", fail, couldNot,
			Result{Verdict: Failed, Blamed: []string{"MUST-1"}, Message: "wanted Z2, got Z3\nthen, while cleaning up: v1 is left"}},
		{"a failure of the clean-up", then(), fail, Result{Verdict: Failed, Blamed: []string{"MUST-1"}, Message: "wanted Z2, got Z3"}},
		{"could not tell", couldNot, nil, Result{Verdict: Errored, Reason: CouldNot, Message: "v1 is left"}},
		{"the clean-up could not tell", then(), couldNot, Result{Verdict: Errored, Reason: CouldNot, Message: "v1 is left"}},
		{"the same stood in the way of the clean-up", couldNot, couldNot, Result{Verdict: Errored, Reason: CouldNot, Message: "v1 is left"}},
		{"left out", func(context.Context) { LeaveOut("the driver is gone") }, nil, Result{Verdict: Errored, Reason: NotRun, Message: "the driver is gone"}},
		{"skipped", func(context.Context) { Skip(ByProfile, "no block") }, nil, Result{Verdict: Skipped, DecidedBy: ByProfile, Reason: "no block"}},
		{"two warnings", then(slow, func(ctx context.Context) { Should(ctx, "MAY-1", false, "vague") }), nil,
			Result{Verdict: Warned, Blamed: []string{"MAY-1", "SHOULD-1"}, Message: "slow\nvague"}},
		{"what should be so and is", func(ctx context.Context) { Should(ctx, "MAY-1", true, "vague") }, nil, Result{Verdict: Passed}},
		{"a warning of the clean-up", then(), slow, Result{Verdict: Warned, Blamed: []string{"SHOULD-1"}, Message: "slow"}},
		{"a warning, and then a failure", then(slow, fail), nil, Result{Verdict: Failed, Blamed: []string{"MUST-1"}, Message: "wanted Z2, got Z3"}},
		{"a warning, and then an error of the clean-up", slow, couldNot, Result{Verdict: Errored, Reason: CouldNot, Message: "v1 is left"}},
		{"a warning, and then the rest is skipped", then(slow, func(context.Context) { Skip(ByProfile, "no block") }), nil,
			Result{Verdict: Warned, Blamed: []string{"SHOULD-1"}, Message: "slow"}},
		{"less than in full, said twice", then(reduced, reduced), nil, Result{Verdict: Passed, DecidedBy: ByEnvironment, Reason: "shown with 2 segments"}},
		{"less than in full for two reasons", then(reduced, func(ctx context.Context) { Reduced(ctx, "without root") }), nil,
			Result{Verdict: Passed, DecidedBy: ByEnvironment, Reason: "shown with 2 segments; without root"}},
		{"less than in full, and a warning", then(reduced, slow), nil, Result{Verdict: Warned, Blamed: []string{"SHOULD-1"}, Message: "slow"}},
		{"less than in full, and a failure", then(reduced, fail), nil, Result{Verdict: Failed, Blamed: []string{"MUST-1"}, Message: "wanted Z2, got Z3"}},
		{"trailing blanks", func(context.Context) { Fail("MUST-1", "two  \nlines\n\n") }, nil, Result{Verdict: Failed, Blamed: []string{"MUST-1"}, Message: "two\nlines"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := of(c.given, c.during, "MUST-1", "SHOULD-1")
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(Result{}, "Listed", "Whole"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAPanicIsAnError(t *testing.T) {
	got := of(func(context.Context) { panic(errors.New("nil map")) }, nil)
	if got.Verdict != Errored || got.Reason != CouldNot || !strings.Contains(got.Message, "nil map") || !strings.Contains(got.Message, "result_test.go") {
		t.Errorf("want an error with the panic and its stack, got %+v", got)
	}
}

func TestAFailureIsAboutTheClausesThatItDoesNotName(t *testing.T) {
	clauses := []string{"MUST-1", "MUST-2"}
	for _, c := range []struct {
		name    string
		judge   func()
		verdict Verdict
		want    []string
	}{
		{"names no clause", func() { FailAbout(nil, "no") }, Failed, clauses},
		{"names one", func() { Fail("SHOULD-1", "no") }, Warned, []string{"SHOULD-1"}},
		{"could not tell", func() { CouldNotTell("no") }, Errored, nil},
		{"holds", func() {}, Passed, nil},
		{"within another", func() { About([]string{"MUST-2"}, func() { FailAbout(nil, "no") }) }, Failed, []string{"MUST-2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := of(func(context.Context) { About(clauses, c.judge) }, nil, "MUST-1")
			if diff := cmp.Diff(c.want, got.Blamed, cmpopts.EquateEmpty()); got.Verdict != c.verdict || diff != "" {
				t.Errorf("want %s that blames %q, got %+v", c.verdict, c.want, got)
			}
		})
	}
}

func TestAFailureContradictsAMust(t *testing.T) {
	for _, c := range []struct {
		name     string
		verifies []string
		blamed   []string
		want     Verdict
	}{
		{name: "blames a MUST", verifies: []string{"MUST-1", "SHOULD-1"}, blamed: []string{"MUST-1"}, want: Failed},
		{name: "blames a MUST and a SHOULD", verifies: []string{"MUST-1", "SHOULD-1"}, blamed: []string{"MUST-1", "SHOULD-1"}, want: Failed},
		{name: "blames a SHOULD", verifies: []string{"MUST-1", "SHOULD-1"}, blamed: []string{"SHOULD-1"}, want: Warned},
		{name: "blames a SHOULD and a MAY", verifies: []string{"MUST-1"}, blamed: []string{"MAY-1", "SHOULD-1"}, want: Warned},
		{name: "blames none, and verifies a MUST", verifies: []string{"MUST-1", "SHOULD-1"}, want: Failed},
		{name: "blames none, and verifies only a SHOULD", verifies: []string{"SHOULD-1"}, want: Warned},
		{name: "blames the platform", verifies: []string{"MUST-1", "K8S-1"}, blamed: []string{"K8S-1"}, want: Warned},
		{name: "blames none, and verifies what the platform does", verifies: []string{"K8S-1"}, want: Warned},
		{name: "blames none, and verifies what both do", verifies: []string{"MUST-1", "K8S-1"}, want: Failed},
		{name: "blames what the register does not hold", verifies: []string{"TR-01"}, blamed: []string{"TR-01"}, want: Failed},
		{name: "verifies nothing of the register", want: Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := of(func(context.Context) { FailAbout(c.blamed, "no") }, nil, c.verifies...)
			if diff := cmp.Diff(c.blamed, got.Blamed, cmpopts.EquateEmpty()); got.Verdict != c.want || got.Message != "no" || diff != "" {
				t.Errorf("want %s that blames %q, got %+v", c.want, c.blamed, got)
			}
		})
	}
}

func TestAResultHasWhatWasRecorded(t *testing.T) {
	got := of(func(ctx context.Context) {
		Evidence(ctx, "zone", "Z2")
		Record(ctx, Recorded{json.RawMessage(`1`)}, func() Placement { return Placement{Pods: []PlacedPod{{Name: "reader"}}} })
	}, func(ctx context.Context) { Evidence(ctx, "left", 0) })
	want := []Proof{{"zone", json.RawMessage(`"Z2"`)}, {"left", json.RawMessage(`0`)}}
	if diff := cmp.Diff(want, got.Evidence); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
	if got.Calls.Len() != 1 || got.Placed().Pods[0].Name != "reader" {
		t.Errorf("want a call and a pod, got %s and %+v", got.Calls, got.Placed())
	}
}
