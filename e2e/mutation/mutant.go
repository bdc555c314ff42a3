// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"slices"
	"strings"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Kind classifies a driver by the specification.
type Kind string

const (
	// Faulty is a driver that contradicts a MUST: cases must fail.
	Faulty Kind = "wrong"
	// WarnedOf is a driver that contradicts a SHOULD, or harms its users: cases must warn.
	WarnedOf Kind = "warned of"
	// Conformant is a driver that conforms to the specification, even if it is unusual: no case may fail or err.
	Conformant Kind = "right"
)

// Mutant is a driver of the catalogue.
type Mutant struct {
	// ID consists of its part of the specification and its text, such as attach/ignores-readonly. It appears in reports.
	ID string
	// Text describes the driver.
	Text string
	// Kind classifies it by the specification.
	Kind Kind
	// Long says that a run takes longer than with other correct drivers, so it starts first.
	Long bool
	Expectation
}

// Clauses returns the clauses that the driver contradicts. The cases must fail by them, or warn if none fails.
func (m Mutant) Clauses() []string {
	var clauses []string
	for _, c := range m.Cases {
		if c.Verdict == m.finding() {
			clauses = append(clauses, strings.Fields(c.About)...)
		}
	}
	slices.Sort(clauses)
	return slices.Compact(clauses)
}

// Contradicts reports whether one of the cases must fail, or warn, by the clause.
func (m Mutant) Contradicts(clause string, cases []string) bool {
	return slices.ContainsFunc(m.Cases, func(c Case) bool {
		return (c.Verdict == suite.Failed || c.Verdict == suite.Warned) && slices.Contains(strings.Fields(c.About), clause) &&
			slices.ContainsFunc(strings.Fields(c.IDs), func(id string) bool { return slices.Contains(cases, id) })
	})
}

func (m Mutant) finding() suite.Verdict {
	switch m.Kind {
	case Faulty:
		return suite.Failed
	case WarnedOf:
		return suite.Warned
	case Conformant:
	}
	return ""
}

// CaughtBy returns the cases that find the fault of the driver: they fail, or warn, by one of its clauses. Other failures,
// and errors, do not count. For a correct driver, it returns the false alarms: all cases that fail or end as errors.
func (m Mutant) CaughtBy(cases []report.Case) []string {
	var by []string
	clauses := m.Clauses()
	for _, c := range cases {
		if m.Kind == Conformant && (c.Verdict == suite.Failed || c.Verdict == suite.Errored) ||
			m.Kind != Conformant && c.Verdict == m.finding() && slices.ContainsFunc(c.Blamed, func(clause string) bool { return slices.Contains(clauses, clause) }) {
			by = append(by, c.ID)
		}
	}
	slices.Sort(by)
	return by
}
