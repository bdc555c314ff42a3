// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"slices"
	"strings"
)

// Waiver is a vendor's decision to accept all findings about a requirement, or all findings of one case. The cases still
// run, and their other findings count.
type Waiver struct {
	// Requirement and Case are ids; one of them is empty.
	Requirement string `yaml:"requirement,omitempty"`
	Case        string `yaml:"case,omitempty"`
	// Reason is the vendor's sentence.
	Reason string `yaml:"reason"`
	// Newer says that this is not a decision of the vendor: the requirement is newer than the specification that the driver
	// implements.
	Newer bool `yaml:"newer,omitempty"`
}

// String returns the waiver as the reason of a case in reports: the requirement, if there is one, and the vendor's sentence.
func (w Waiver) String() string {
	return strings.TrimPrefix(w.Requirement+": "+w.Reason, ": ")
}

// SetAside is a finding of a case that a waiver sets aside.
type SetAside struct {
	Waiver `yaml:",inline"`
	// Clauses are the requirements that it is about.
	Clauses []string `yaml:"clauses,flow,omitempty"`
	Message string   `yaml:"message"`
}

// Waive sets aside the findings about the requirements that the waivers name, or all findings if a waiver names the case,
// which verifies the given requirements. A failure or a warning that also blames other clauses stays, with only these. An
// error is set aside only by a waiver of the case.
func (o *Outcome) Waive(id string, requirements []string, waivers []Waiver) {
	if len(waivers) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var left []Mark
	for _, m := range o.marks {
		if m, some := o.without(m, id, requirements, waivers); some {
			left = append(left, m)
		}
	}
	o.marks = left
	if o.End == nil {
		return
	}
	end, some := o.without(*o.End, id, requirements, waivers)
	if o.End = &end; !some {
		o.End = nil
	}
}

// without sets the waived clauses of a mark aside. It returns the rest of the mark, if there is any.
func (o *Outcome) without(m Mark, id string, requirements []string, waivers []Waiver) (left Mark, some bool) {
	if m.Verdict != Failed && m.Verdict != Warned && m.Reason != CouldNot {
		return m, true
	}
	concerned := m.Clauses
	if len(concerned) == 0 {
		concerned = requirements
	}
	setAside := func(w Waiver, clauses []string) {
		o.aside = append(o.aside, SetAside{Waiver: w, Clauses: clauses, Message: located(m)})
	}
	if i := slices.IndexFunc(waivers, func(w Waiver) bool { return w.Case != "" && w.Case == id }); i >= 0 {
		setAside(waivers[i], concerned)
		return m, false
	}
	if m.Verdict == Errored {
		return m, true
	}
	rest := slices.Clone(concerned)
	for _, w := range waivers {
		if w.Requirement != "" && slices.Contains(rest, w.Requirement) {
			setAside(w, []string{w.Requirement})
			rest = slices.DeleteFunc(rest, func(clause string) bool { return clause == w.Requirement })
		}
	}
	switch len(rest) {
	case len(concerned):
		return m, true
	case 0:
		return m, false
	default:
		m.Clauses = rest
		return m, true
	}
}

// decider returns who decided that the findings that were set aside do not count.
func decider(aside []SetAside) DecidedBy {
	if slices.ContainsFunc(aside, func(a SetAside) bool { return !a.Newer }) {
		return ByWaiver
	}
	return ByFilter
}

// reasonsOf returns the reasons of the waivers, each once.
func reasonsOf(aside []SetAside) string {
	var reasons []string
	for _, a := range aside {
		if reason := a.String(); !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return strings.Join(reasons, "; ")
}

// SetAsideBy returns the ids of the cases where the waiver sets a finding aside. notNeeded reports that the waiver is no
// longer needed: each case that it could be about held or does not apply, and none of them is unknown, such as a case that
// was not selected.
func (w Waiver) SetAsideBy(results []Result) (ids []string, notNeeded bool) {
	held, unknown := false, false
	for _, r := range results {
		switch {
		case slices.ContainsFunc(r.Waived, func(a SetAside) bool { return a.Waiver == w }):
			ids = append(ids, r.ID)
		case r.ID != w.Case && !slices.Contains(r.Requirements, w.Requirement):
		case r.Verdict == Passed || r.Whole && r.DecidedBy != ByWaiver:
			held = true
		case r.Verdict == Skipped && (r.DecidedBy == ByCapability || r.DecidedBy == ByProfile):
		default:
			unknown = true
		}
	}
	return ids, held && !unknown && len(ids) == 0
}
