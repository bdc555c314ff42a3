// SPDX-License-Identifier: Apache-2.0

package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/requirement"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// findingView is a finding of cases in one or more runs with the same cause.
type findingView struct {
	Verdict suite.Verdict
	ID      string
	Text    string
	// Closing says that the finding is about the run as a whole.
	Closing bool
	// Observed is the observation, in one line.
	Observed string
	// Again are the command lines that repeat the case, one for each run that has one.
	Again []string
	// Relation is how the case relates to the clauses: it contradicts them, or is about them.
	Relation string
	Clauses  []clauseView
	Reason   string
	Message  string
	Others   []string
	// Runs are the names of the runs that found it, if there are several runs.
	Runs []string
}

// clauseView is a requirement in a finding.
type clauseView struct {
	ID, Text, Link string
}

// findingsOf returns the findings of all runs: failures first, then errors, then warnings, each cause once.
func findingsOf(runs []report.Run) []findingView {
	var found []findingView
	for _, v := range []suite.Verdict{suite.Failed, suite.Errored, suite.Warned} {
		known := map[string]int{}
		for _, run := range runs {
			for _, f := range report.Findings(run.Report, v) {
				at, again := known[f.Cause]
				if !again {
					at = len(found)
					known[f.Cause] = at
					found = append(found, viewOf(f))
				}
				view := &found[at]
				ids := slices.DeleteFunc(append([]string{f.Shown.ID}, f.Others...), func(id string) bool { return id == view.ID })
				view.Others = union(view.Others, ids)
				if again := run.Report.Suite.Again; again != "" {
					view.Again = union(view.Again, []string{again + " " + f.Shown.ID})
				}
				view.blame(append(slices.Clone(f.Shown.Blamed), f.Also...))
				if len(runs) > 1 {
					view.Runs = append(view.Runs, nameOf(run))
				}
			}
		}
	}
	weigh(found)
	return found
}

func viewOf(f report.Finding) findingView {
	c := f.Shown
	view := findingView{Verdict: c.Verdict, ID: c.ID, Text: c.Text, Closing: c.Closing, Observed: observed(c), Reason: c.Reason, Message: c.Message}
	ids := c.Blamed
	switch {
	case len(c.Blamed) == 0:
		view.Relation, ids = "verifies", c.Requirements
	case c.Verdict == suite.Failed:
		view.Relation = "contradicts"
	default:
		view.Relation = "about"
	}
	view.blame(ids)
	return view
}

// observed returns the message of a case as one line: its first line, and the driver's answer.
func observed(c report.Case) string {
	const most = 240 // characters
	lines := strings.Split(strings.TrimSpace(c.Message), "\n")
	text := cmp.Or(lines[0], c.Reason, c.Text)
	for _, line := range lines[1:] {
		if strings.HasPrefix(line, "got: ") {
			text = strings.TrimSuffix(text, ".") + "; " + line
			break
		}
	}
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:most]) + "…"
	}
	return text
}

// weigh sorts the findings of several runs in the order of one run's: failures, errors and warnings, and within each, first
// those about the whole run, and then the others by the number of their cases.
func weigh(found []findingView) {
	order := []suite.Verdict{suite.Failed, suite.Errored, suite.Warned}
	rank := func(f findingView) int {
		at := 2 * slices.Index(order, f.Verdict)
		if !f.Closing {
			at++
		}
		return at
	}
	slices.SortStableFunc(found, func(a, b findingView) int {
		return cmp.Or(rank(a)-rank(b), len(b.Others)-len(a.Others))
	})
}

// blame adds those of the clauses that the finding does not have yet.
func (v *findingView) blame(ids []string) {
	for _, id := range ids {
		if !slices.ContainsFunc(v.Clauses, func(c clauseView) bool { return c.ID == id }) {
			r, _ := requirement.ByID(id)
			v.Clauses = append(v.Clauses, clauseView{ID: id, Text: r.Text, Link: r.Link()})
		}
	}
}

// union adds the items to the first list that it does not have.
func union(to, from []string) []string {
	for _, item := range from {
		if !slices.Contains(to, item) {
			to = append(to, item)
		}
	}
	return to
}
