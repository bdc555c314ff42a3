// SPDX-License-Identifier: Apache-2.0

package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

func TestReadExpected(t *testing.T) {
	const head = "apiVersion: csi-topo/v1alpha1\nkind: ConformanceReport\n"
	known := func(id string) bool { return strings.HasPrefix(id, "T-") }
	for _, c := range []struct {
		name, given string
		want        Expected
		says        string
	}{
		{name: "ids and verdicts", given: head + "cases: [{id: T-1, verdict: fail}, {id: T-2, verdict: pass}]\n", want: Expected{"T-1": suite.Failed, "T-2": suite.Passed}},
		{name: "a report", given: head + "environment: {tier: spec}\ncases: [{id: T-1, verdict: error, reason: could not tell}, {id: T-2, verdict: error, reason: not run}, {id: T-3, verdict: skip, decidedBy: filter}]\n",
			want: Expected{"T-1": suite.Errored}},
		{name: "of another tier", given: head + "environment: {tier: cluster}\ncases: [{id: T-1, verdict: fail}]\n", says: "is a report of the cluster tier: want one of the spec tier"},
		{name: "a case that does not exist", given: head + "cases: [{id: X-1, verdict: fail}]\n", says: `the case "X-1", which does not exist`},
		{name: "a verdict that does not exist", given: head + "cases: [{id: T-1, verdict: failed}]\n", says: `the case T-1 to end in "failed": want pass, fail`},
		{name: "two verdicts", given: head + "cases: [{id: T-1, verdict: fail}, {id: T-1, verdict: pass}]\n", says: "to end in fail and in pass"},
		{name: "nothing", given: head, says: "expects nothing: want cases"},
		{name: "another kind of file", given: "kind: Pod\n", says: `is of kind "Pod"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "expected.yaml")
			if err := os.WriteFile(path, []byte(c.given), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := ReadExpected(path, "spec", known)
			if c.says == "" && (err != nil || !cmp.Equal(c.want, got)) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("want %v and %q, got %v, %v", c.want, c.says, got, err)
			}
		})
	}
}

func TestExitCodeOfWhatIsExpected(t *testing.T) {
	e := Expected{"T-1": suite.Failed, "T-2": suite.Passed, "T-3": suite.Errored}
	of := func(id string, v suite.Verdict) Case { return Case{ID: id, Verdict: v} }
	for _, c := range []struct {
		name  string
		given []Case
		want  int
		says  string
	}{
		{"as expected", []Case{of("T-1", suite.Failed), of("T-2", suite.Passed), of("T-3", suite.Errored)}, ExitPassed, "every case ended as"},
		{"some of them", []Case{of("T-1", suite.Failed), {ID: "T-2", Verdict: suite.Skipped, DecidedBy: suite.ByFilter}}, ExitPassed, "every case ended as"},
		{"one passes", []Case{of("T-1", suite.Passed)}, ExitFailed, "pass   T-1, expected: fail"},
		{"one fails", []Case{of("T-1", suite.Failed), of("T-2", suite.Failed)}, ExitFailed, "fail   T-2, expected: pass"},
		{"one warns", []Case{of("T-2", suite.Warned)}, ExitFailed, "warn   T-2, expected: pass"},
		{"one could not tell", []Case{of("T-1", suite.Failed), of("T-2", suite.Errored)}, ExitError, "error  T-2, expected: pass"},
		{"a new one fails", []Case{of("T-1", suite.Failed), of("T-4", suite.Failed)}, ExitFailed, "fail   T-4, expected: nothing"},
		{"a new one passes", []Case{of("T-1", suite.Failed), of("T-4", suite.Passed)}, ExitPassed, "every case ended as"},
		{"a new one is all there is, and skipped", []Case{of("T-4", suite.Skipped)}, ExitError, "every case ended as"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &ConformanceReport{Cases: c.given, Summary: Summarize(c.given, 0)}
			var out strings.Builder
			e.Print(&out, r, "expected.yaml")
			if got := e.ExitCode(r); got != c.want || !strings.Contains(out.String(), c.says) {
				t.Errorf("want exit status %d and %q, got %d and:\n%s", c.want, c.says, got, out.String())
			}
		})
	}
}
