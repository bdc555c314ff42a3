// SPDX-License-Identifier: Apache-2.0

package ginkgo_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
	edge "github.com/csi-topo/csi-topo/e2e/suite/ginkgo"
)

// stage is a tier whose cases work with nothing.
type stage struct {
	cleanUp func(ctx context.Context) // nil removes nothing
}

func (stage) Open(context.Context, suite.Case[any]) any { return nil }

func (stage) Perform(ctx context.Context, c suite.Case[any], t any) { c.Run(ctx, t) }

func (s stage) CleanUp(ctx context.Context, _ any, _ *suite.Outcome) {
	if s.cleanUp != nil {
		s.cleanUp(ctx)
	}
}

// declared returns a case of one requirement.
func declared(id string, run func(ctx context.Context)) suite.Case[any] {
	return suite.Case[any]{ID: id, Text: "is asked", Requirements: []string{"TR-" + id}, Run: func(ctx context.Context, _ any) { run(ctx) }}
}

func TestASpecSaysWhatItsCaseSays(t *testing.T) {
	for _, c := range []struct {
		name    string
		given   func(ctx context.Context)
		cleanUp func(ctx context.Context)
		want    types.SpecState
		says    string
		entries []string
	}{
		{name: "pass", given: func(ctx context.Context) { suite.Evidence(ctx, "zone", "Z2") }, want: types.SpecStatePassed, entries: []string{`zone "Z2"`}},
		{name: "fail", given: func(context.Context) { suite.Fail("TR-1", "got Z3") }, want: types.SpecStateFailed, says: "got Z3"},
		{name: "warn", given: func(ctx context.Context) { suite.Warn(ctx, "TR-1", "slow") }, want: types.SpecStatePassed, entries: []string{"warn slow"}},
		{name: "error", given: func(context.Context) { suite.CouldNotTell("the watch broke") }, want: types.SpecStateFailed, says: "could not tell: the watch broke"},
		{name: "panic", given: func(context.Context) { panic("nil map") }, want: types.SpecStateFailed, says: "could not tell: the case panicked: nil map"},
		{name: "not run", given: func(context.Context) { suite.LeaveOut("the driver is gone") }, want: types.SpecStateFailed, says: "not run: the driver is gone"},
		{name: "skip", given: func(context.Context) { suite.Skip(suite.ByCapability, "no snapshots") }, want: types.SpecStateSkipped, says: "capability: no snapshots"},
		{name: "less than in full", given: func(ctx context.Context) { suite.Reduced(ctx, "one zone") }, want: types.SpecStatePassed},
		{name: "the clean-up could not tell", given: func(context.Context) {}, cleanUp: func(context.Context) { suite.CouldNotTell("v1 is left") },
			want: types.SpecStateFailed, says: "could not tell: v1 is left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			areas := []suite.Area[any]{{Name: "placement", Cases: []suite.Case[any]{declared("1", c.given)}}}
			r := suite.Runner[any]{Stage: stage{c.cleanUp}, CleanUp: time.Minute}
			got := runSuite(t, func() { edge.Declare(areas, &r, time.Minute) }, asItIs)["1 is asked"]
			if got.State != c.want || !strings.HasPrefix(got.Failure.Message, c.says) {
				t.Errorf("want %s and %q, got %s and %q", c.want, c.says, got.State, got.Failure.Message)
			}
			var entries []string
			for _, entry := range got.ReportEntries {
				entries = append(entries, entry.Name+" "+entry.StringRepresentation())
			}
			if diff := cmp.Diff(c.entries, entries); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if where := got.LeafNodeLocation.String(); got.FullText() != "placement 1 is asked" || where != "case 1" || !got.IsSerial {
				t.Errorf("want a serial spec of its area and case, got %q at %s", got.FullText(), where)
			}
		})
	}
}

func TestGinkgoChoosesAmongDeclaredCases(t *testing.T) {
	for _, c := range []struct {
		name  string
		given func(*types.SuiteConfig)
		want  string
	}{
		{"all", asItIs, "1 2 3"},
		{"a requirement", func(c *types.SuiteConfig) { c.LabelFilter = "req:TR-2" }, "2"},
		{"all but a case", func(c *types.SuiteConfig) { c.LabelFilter = "!case:1" }, "2 3"},
		{"a text", func(c *types.SuiteConfig) { c.FocusStrings = []string{"capacity 3"} }, "3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ran []string
			note := func(id string) suite.Case[any] { return declared(id, func(context.Context) { ran = append(ran, id) }) }
			areas := []suite.Area[any]{{Name: "placement", Cases: []suite.Case[any]{note("1"), note("2")}}, {Name: "capacity", Cases: []suite.Case[any]{note("3")}}}
			runSuite(t, func() { edge.Declare(areas, &suite.Runner[any]{Stage: stage{}}, time.Minute) }, c.given)
			slices.Sort(ran) // Ginkgo chooses the order of the areas
			if got := strings.Join(ran, " "); got != c.want {
				t.Errorf("want %s to run, got %s", c.want, got)
			}
		})
	}
}

// TestGinkgoInterruptsADeclaredCase interrupts the first case by the time limit of its suite: the case is cleaned up
// within its grace, and the next one does not begin.
func TestGinkgoInterruptsADeclaredCase(t *testing.T) {
	var live error
	cleanedUp := false
	r := suite.Runner[any]{CleanUp: time.Minute, Stage: stage{func(ctx context.Context) { cleanedUp, live = true, ctx.Err() }}}
	areas := []suite.Area[any]{{Name: "placement", Cases: []suite.Case[any]{
		declared("1", func(ctx context.Context) {
			<-ctx.Done()
			suite.Fail("TR-1", "no answer")
		}),
		declared("2", func(context.Context) { t.Error("the second case began") }),
	}}}
	const limit = 20 * time.Millisecond
	ended := runSuite(t, func() { edge.Declare(areas, &r, time.Minute) }, func(c *types.SuiteConfig) { c.Timeout = limit })
	first := ended["1 is asked"]
	if first.State != types.SpecStateTimedout || !cleanedUp || live != nil {
		t.Errorf("want the case timed out and cleaned up with a live context, got %s, %t and %v", first.State, cleanedUp, live)
	}
	if more := first.Failure.AdditionalFailure; more == nil || !strings.Contains(more.Failure.Message, "interrupted: the run was interrupted while the case ran: no answer") {
		t.Errorf("want the spec to say that its case was interrupted, got %+v", more)
	}
	if second := ended["2 is asked"]; second.State != types.SpecStateSkipped {
		t.Errorf("want the second case skipped, got %s", second.State)
	}
}

func TestLabelFilter(t *testing.T) {
	for _, c := range []struct {
		given string
		want  bool
	}{{"", true}, {"req:TR-07 && !slow", true}, {"req:TR-08", false}, {"/^case:T-/", true}} {
		matches, err := edge.LabelFilter(c.given)
		if err != nil {
			t.Fatal(err)
		}
		if got := matches([]string{"case:T-1", "req:TR-07"}); got != c.want {
			t.Errorf("%q: want %t, got %t", c.given, c.want, got)
		}
	}
	if _, err := edge.LabelFilter("a && ("); err == nil {
		t.Error("want a filter that is none refused")
	}
}
