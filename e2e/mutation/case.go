// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Case is what some cases say of a driver.
type Case struct {
	// IDs are those of the cases, space separated.
	IDs     string
	Verdict suite.Verdict
	// About are the clauses that a failure or a warning is about, space separated, and all of them.
	About string
	// DecidedBy is who decided that a case is skipped.
	DecidedBy suite.DecidedBy
}

// Fails says that the cases of these ids fail by exactly these clauses; both lists are space separated.
func Fails(ids, clauses string) Case { return Case{IDs: ids, Verdict: suite.Failed, About: clauses} }

// Warns is Fails for warnings.
func Warns(ids, clauses string) Case { return Case{IDs: ids, Verdict: suite.Warned, About: clauses} }

// Errs says that the cases end as errors.
func Errs(ids string) Case { return Case{IDs: ids, Verdict: suite.Errored} }

// Skips says that the cases are skipped, and who decided so.
func Skips(ids string, by suite.DecidedBy) Case {
	return Case{IDs: ids, Verdict: suite.Skipped, DecidedBy: by}
}

// Passes says that the cases pass.
func Passes(ids string) Case { return Case{IDs: ids, Verdict: suite.Passed} }

// Said is what a case said, as it would have to be expected.
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

// Of is what is expected of one of the cases.
func (c Case) Of(id string) Case {
	clauses := strings.Fields(c.About)
	slices.Sort(clauses)
	return Case{id, c.Verdict, strings.Join(clauses, " "), c.DecidedBy}
}
