// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Case is the expected result of some cases for a driver.
type Case struct {
	// IDs are the ids of the cases, space separated.
	IDs     string
	Verdict suite.Verdict
	// About lists all clauses that a failure or a warning is about, space separated.
	About string
	// DecidedBy says who decided that a case is skipped.
	DecidedBy suite.DecidedBy
}

// Fails returns the expectation that the cases with these ids fail by exactly these clauses; both lists
// are space separated.
func Fails(ids, clauses string) Case { return Case{IDs: ids, Verdict: suite.Failed, About: clauses} }

// Warns is like Fails, for warnings.
func Warns(ids, clauses string) Case { return Case{IDs: ids, Verdict: suite.Warned, About: clauses} }

// Errs returns the expectation that the cases end as errors.
func Errs(ids string) Case { return Case{IDs: ids, Verdict: suite.Errored} }

// Skips returns the expectation that the cases are skipped, and who decided so.
func Skips(ids string, by suite.DecidedBy) Case {
	return Case{IDs: ids, Verdict: suite.Skipped, DecidedBy: by}
}

// Passes returns the expectation that the cases pass.
func Passes(ids string) Case { return Case{IDs: ids, Verdict: suite.Passed} }

// Said formats the result of a case the way it would have to be expected.
func Said(c report.Case) Case {
	said := Case{IDs: c.ID, Verdict: c.Verdict}
	switch c.Verdict {
	case suite.Failed, suite.Warned:
		said.About = strings.Join(c.Blamed, " ")
	case suite.Skipped:
		said.DecidedBy = c.DecidedBy
	case suite.Passed, suite.Errored:
	}
	return said
}

// Of returns what is expected of one of the cases.
func (c Case) Of(id string) Case {
	clauses := strings.Fields(c.About)
	slices.Sort(clauses)
	return Case{id, c.Verdict, strings.Join(clauses, " "), c.DecidedBy}
}

// names reports whether the case has the expected verdict, by some of the expected clauses.
func (c Case) names(found report.Case) bool {
	clauses := strings.Fields(c.About)
	return found.Verdict == c.Verdict && slices.ContainsFunc(found.Blamed, func(clause string) bool { return slices.Contains(clauses, clause) })
}
