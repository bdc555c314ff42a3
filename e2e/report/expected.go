// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Expected holds the expected verdicts of cases, by their ids.
type Expected map[string]suite.Verdict

// ReadExpected reads the expected verdicts of a run of the tier from the report.yaml of an earlier run, or from a file of
// the same form with only the id and the verdict of each case. path may be the report's directory. Nothing is expected of
// cases that were not selected or did not run to their end. known reports whether there is a case with an id.
func ReadExpected(path, tier string, known func(id string) bool) (Expected, error) {
	r, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	if of := r.Environment.Tier; cmp.Or(of, tier) != tier {
		return nil, fmt.Errorf("%s is a report of the %s tier: want one of the %s tier, which is being run", path, of, tier)
	}
	verdicts := []suite.Verdict{suite.Passed, suite.Failed, suite.Warned, suite.Errored, suite.Skipped}
	expected := Expected{}
	for _, c := range r.Cases {
		before, again := expected[c.ID]
		switch {
		case !known(c.ID):
			return nil, fmt.Errorf("%s expects something of the case %q, which does not exist: want an id that `csi-topo list` prints", path, c.ID)
		case !slices.Contains(verdicts, c.Verdict):
			return nil, fmt.Errorf("%s expects the case %s to end in %q: want pass, fail, warn, error or skip", path, c.ID, c.Verdict)
		case again && before != c.Verdict:
			return nil, fmt.Errorf("%s expects the case %s to end in %s and in %s: want one of them", path, c.ID, before, c.Verdict)
		case c.DecidedBy == suite.ByFilter || c.Reason == suite.NotRun || c.Reason == suite.Interrupted:
		default:
			expected[c.ID] = c.Verdict
		}
	}
	if len(expected) == 0 {
		return nil, fmt.Errorf("%s expects nothing: want cases, each with its id and its expected verdict", path)
	}
	return expected, nil
}

// Unexpected returns the cases of the report that did not end as expected, with the expected verdict as Old. A case without
// an expected verdict is unexpected if it failed or ended in an error.
func (e Expected) Unexpected(r *ConformanceReport) []Change {
	var found []Change
	for _, c := range r.Cases {
		want, named := e[c.ID]
		change := Change{ID: c.ID, Old: want, New: c.Verdict, Message: c.Message}
		if c.DecidedBy != suite.ByFilter && (named && want != c.Verdict || !named && change.Worse()) {
			found = append(found, change)
		}
	}
	return found
}

// ExitCode returns the exit status for the report with these expected verdicts: 1 if a case has another verdict, including
// an unexpected pass; otherwise 2 if a case unexpectedly ended in an error, or nothing was exercised; otherwise 0.
func (e Expected) ExitCode(r *ConformanceReport) int {
	found := e.Unexpected(r)
	switch {
	case slices.ContainsFunc(found, func(c Change) bool { return c.New != suite.Errored }):
		return ExitFailed
	case len(found) > 0 || r.Summary.exercised()+r.Summary.Error == 0:
		return ExitError
	default:
		return ExitPassed
	}
}

// Print prints the cases that did not end as expected according to the file.
func (e Expected) Print(w io.Writer, r *ConformanceReport, file string) {
	found := e.Unexpected(r)
	if len(found) == 0 {
		fmt.Fprintf(w, "\nevery case ended as %s expects\n", file)
		return
	}
	fmt.Fprintf(w, "\nnot as %s expects:\n", file)
	for _, c := range found {
		fmt.Fprintf(w, "  %-5s  %s, expected: %s\n", c.New, c.ID, cmp.Or(string(c.Old), "nothing"))
	}
}
