// SPDX-License-Identifier: Apache-2.0

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func meaning(id string) string {
	return map[string]string{"LV-08": "an entry has a volume (line 1587)"}[id]
}

func TestFailures(t *testing.T) {
	const late = "the run ended before this case began"
	for _, c := range []struct {
		name  string
		given []Case
		want  string
	}{
		{name: "nothing", given: []Case{{ID: "T-1", Verdict: suite.Passed}, {ID: "T-2", Verdict: suite.Skipped, Reason: "filter"}}},
		{
			name: "failures, then errors, then warnings",
			given: []Case{
				{ID: "T-1", Text: "warns", Verdict: suite.Warned, Blamed: []string{"LV-08"}, Message: "differs"},
				{ID: "T-2", Text: "comes later", Verdict: suite.Errored, Reason: suite.NotRun, Message: late},
				{ID: "T-3", Text: "breaks", Verdict: suite.Errored, Reason: "could not tell", Message: "the connection broke"},
				{ID: "T-4", Text: "chooses from requisite", Requirements: []string{"TR-07", "TR-09"}, Verdict: suite.Failed, Message: "asked for Z2\ngot Z3"},
				{ID: "T-5", Text: "comes last", Verdict: suite.Errored, Reason: suite.NotRun, Message: late},
			},
			want: `
FAIL T-4: chooses from requisite
    verifies TR-07, TR-09
    asked for Z2
    got Z3

ERROR T-3: breaks
    could not tell
    the connection broke

ERROR 2 not run: ` + late + `
    T-2, T-5

WARN T-1: warns
    about LV-08: an entry has a volume (line 1587)
    differs
`,
		},
		{
			name: "one cause in several cases",
			given: []Case{
				{ID: "T-1", Text: "chooses", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "volume csi-topo-abc-1 of 10 bytes is in Z3 (TR-07)\nat e2e/a.go:7"},
				{ID: "T-2", Text: "chooses again", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "volume csi-topo-abc-b of 1000 bytes is in Z4 (TR-07)\nat e2e/b.go:8"},
				{ID: "T-3", Text: "chooses another", Verdict: suite.Failed, Blamed: []string{"TR-09"}, Message: "volume csi-topo-abc-1 of 10 bytes is in Z3 (TR-07)"},
				{ID: "T-4", Text: "chooses at last", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "volume csi-topo-abc-1 of 10 bytes is in Z3 (TR-07)"},
			},
			want: `
FAIL T-1: chooses
    contradicts TR-07
    volume csi-topo-abc-1 of 10 bytes is in Z3 (TR-07)
    at e2e/a.go:7
    the same in 2 more: T-2, T-4

FAIL T-3: chooses another
    contradicts TR-09
    volume csi-topo-abc-1 of 10 bytes is in Z3 (TR-07)
`,
		},
		{
			name: "one answer in several cases",
			given: []Case{
				{ID: "T-1", Text: "chooses", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "Z2 is possible\ngot: INVALID_ARGUMENT: \"one topology at most, not 2\"\nat e2e/a.go:7"},
				{ID: "T-2", Text: "needs", Verdict: suite.Errored, Message: "a call that the case needs failed: INVALID_ARGUMENT: \"one topology at most, not 3\""},
				{ID: "T-3", Text: "grows", Verdict: suite.Failed, Blamed: []string{"PF-03", "TR-07"}, Message: "csi-sanity expected the call to succeed; CreateVolume answered INVALID_ARGUMENT: \"one topology at most, not 3\"."},
				{ID: "T-4", Text: "is refused", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "Z2 is possible\ngot: OK"},
				{ID: "T-5", Text: "needs more", Verdict: suite.Errored, Message: "a call that the case needs failed: INVALID_ARGUMENT: \"one topology at most, not 4\""},
				{ID: "T-6", Text: "says nothing", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "Z2 is possible\ngot: INTERNAL: \"\""},
			},
			want: `
FAIL T-1: chooses
    contradicts TR-07
    Z2 is possible
    got: INVALID_ARGUMENT: "one topology at most, not 2"
    at e2e/a.go:7
    the same answer in 1 more: T-3
    which contradict PF-03

FAIL T-4: is refused
    contradicts TR-07
    Z2 is possible
    got: OK

FAIL T-6: says nothing
    contradicts TR-07
    Z2 is possible
    got: INTERNAL: ""

ERROR T-2: needs
    a call that the case needs failed: INVALID_ARGUMENT: "one topology at most, not 3"
    the same answer in 1 more: T-5
`,
		},
		{
			name: "one answer, and other things that are judged",
			given: []Case{
				{ID: "T-1", Text: "detaches", Verdict: suite.Failed, Blamed: []string{"CU-11"}, Message: "DeleteVolume deletes it\ngot: INTERNAL: \"in use\""},
				{ID: "T-2", Text: "deletes", Verdict: suite.Failed, Blamed: []string{"DV-05"}, Message: "it is in use\ngot: INTERNAL: \"in use\""},
				{ID: "T-3", Text: "refuses", Verdict: suite.Failed, Blamed: []string{"CREATE-02", "CREATE-08"}, Message: "there is no such zone\ngot: INTERNAL: \"no zone\""},
				{ID: "T-4", Text: "creates", Verdict: suite.Failed, Blamed: []string{"TR-11"}, Message: "Z2 is possible\ngot: INTERNAL: \"no zone\""},
			},
			want: `
FAIL T-1: detaches
    contradicts CU-11
    DeleteVolume deletes it
    got: INTERNAL: "in use"

FAIL T-2: deletes
    contradicts DV-05
    it is in use
    got: INTERNAL: "in use"

FAIL T-3: refuses
    contradicts CREATE-02
    contradicts CREATE-08
    there is no such zone
    got: INTERNAL: "no zone"

FAIL T-4: creates
    contradicts TR-11
    Z2 is possible
    got: INTERNAL: "no zone"
`,
		},
		{
			name: "one answer, and something else",
			given: []Case{
				{ID: "T-1", Text: "detaches", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "it is detached\ngot: INTERNAL: \"gone\""},
				{ID: "T-2", Text: "goes on", Verdict: suite.Failed, Blamed: []string{"LV-08", "TR-07"}, Message: "1. Detach\nanswered: INTERNAL: \"gone\"\n\nZ2 was asked for, got Z3"},
				{ID: "T-3", Text: "goes far", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "it is detached\ngot: INTERNAL: \"gone\"\nit is deleted\ngot: ABORTED: \"busy\""},
				{ID: "T-4", Text: "refuses", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "it is detached\ngot: INTERNAL: \"gone\"\nit is refused\ngot: OK"},
				{ID: "T-5", Text: "detaches again", Verdict: suite.Failed, Blamed: []string{"TR-07"}, Message: "it is detached again\ngot: INTERNAL: \"gone\""},
			},
			want: `
FAIL T-1: detaches
    contradicts TR-07
    it is detached
    got: INTERNAL: "gone"
    the same answer in 1 more: T-5

FAIL T-2: goes on
    contradicts LV-08: an entry has a volume (line 1587)
    contradicts TR-07
    1. Detach
    answered: INTERNAL: "gone"
    
    Z2 was asked for, got Z3

FAIL T-3: goes far
    contradicts TR-07
    it is detached
    got: INTERNAL: "gone"
    it is deleted
    got: ABORTED: "busy"

FAIL T-4: refuses
    contradicts TR-07
    it is detached
    got: INTERNAL: "gone"
    it is refused
    got: OK
`,
		},
		{
			name: "the whole run first",
			given: []Case{
				{ID: "T-1", Text: "fails", Verdict: suite.Failed, Message: "no"},
				{ID: "run", Text: "lasts", Verdict: suite.Failed, Message: "it ended", Closing: true},
			},
			want: "\nFAIL run: lasts\n    it ended\n\nFAIL T-1: fails\n    no\n",
		},
		{
			name: "one message, two verdicts",
			given: []Case{
				{ID: "T-1", Text: "warns", Verdict: suite.Warned, Message: "no"},
				{ID: "T-2", Text: "fails", Verdict: suite.Failed, Message: "no"},
			},
			want: "\nFAIL T-2: fails\n    no\n\nWARN T-1: warns\n    no\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			Failures(&got, &ConformanceReport{Suite: Suite{Run: "abc"}, Cases: c.given}, meaning)
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManyIDsAreSeveralLines(t *testing.T) {
	var got strings.Builder
	printIDs(&got, "    the same in 60 more: ", slicesOf("sanity_1_001", 60))
	for line := range strings.Lines(got.String()) {
		if len(line) > 101 || strings.HasSuffix(line, " \n") {
			t.Errorf("a line of %d characters: %q", len(line), line)
		}
	}
	if found := strings.Count(got.String(), "sanity_1_001"); found != 60 {
		t.Errorf("got %d ids, want 60", found)
	}
}

func slicesOf(id string, n int) []string {
	var ids []string
	for range n {
		ids = append(ids, id)
	}
	return ids
}

func TestNormalized(t *testing.T) {
	for _, c := range []struct {
		name       string
		one, other string
		same       bool
	}{
		{name: "numbers", one: "10 bytes in 2 zones", other: "1000 bytes in 3 zones", same: true},
		{name: "how many there are", one: "in {zone=Z2}", other: "in {zone=Z2, zone=Z3}", same: false},
		{name: "a list of ids", one: "ids a1, b2", other: "ids a1, b2, c3", same: true},
		{name: "names of the run", one: "volume csi-topo-abc-x", other: "volume csi-topo-abc-y", same: true},
		{name: "where", one: "no\nat e2e/a.go:3", other: "no\nat e2e/b.go:4", same: true},
		{name: "clauses", one: "no (TR-07)", other: "no (TR-08)", same: false},
		{name: "names of segments", one: `Key{"x", zone: "country-a"}`, other: `Key{"x", zone: "country-b"}`, same: true},
		{name: "numbers of errors", one: "unable to create lv 1: exit status 3", other: "unable to create lv 2: exit status 5", same: false},
		{name: "values in maps", one: "publish_context {device=one, path=/dev/b}, and then {device=other, path=/dev/c}", other: "publish_context {device=x, path=/dev/d}, and then {device=y, path=/dev/e}", same: true},
		{name: "keys in maps", one: "publish_context {device=a}", other: "publish_context {path=a}", same: false},
		{name: "words", one: "no volume", other: "no snapshot", same: false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if one, other := normalized(c.one, []string{"abc", "country-a", "country-b"}), normalized(c.other, []string{"abc", "country-a", "country-b"}); (one == other) != c.same {
				t.Errorf("got %q and %q, want them the same: %v", one, other, c.same)
			}
		})
	}
}
