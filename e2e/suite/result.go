// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"slices"
	"strings"
	"time"
)

// Result is the result of one case. Every other form of a verdict, such as in the report, JUnit, a Go test or a spec of
// Ginkgo, is made from it.
type Result struct {
	Listed
	Verdict   Verdict
	DecidedBy DecidedBy
	// Blamed are the requirements that a failure or a warning is about, each once, sorted by name; if empty, it is
	// about all of the case's.
	Blamed []string
	// Reason explains briefly why the verdict is not a plain pass or fail; a pass with a reason showed less than the full
	// case.
	Reason string
	// Message is the full text of a failure, an error or a warning.
	Message string
	// Waived holds the findings that the vendor's waivers set aside.
	Waived   []SetAside
	Evidence []Proof
	// Calls and Placed read the records of the case; nil if there are none.
	Calls  Recording
	Placed Placing
	// Took is how long the case ran, with its set-up and clean-up, without the time of Waiting.
	Took time.Duration
	// Whole says that the case ran to its last line.
	Whole bool
}

// Lookup returns a requirement's level (MUST, SHOULD, MAY) and whom it grades (vendor, platform); ok is false for an id
// that is not in the register.
type Lookup func(id string) (level, grades string, ok bool)

// Binds reports whether the requirement is a MUST of the driver, or is not in the register.
func (l Lookup) Binds(id string) bool {
	const must, platform = "MUST", "platform"
	if l == nil {
		return true
	}
	level, grades, found := l(id)
	return !found || level == must && grades != platform
}

// Result returns the result of the case. A fail stays a fail if the clean-up then fails as well; only a fail or an error
// replaces a warning. A failure that contradicts no MUST of the driver is a warning: it blames only requirements of a lower
// level or of the platform, or blames none in a case that verifies only such. A case without requirements in the register,
// such as csi-sanity's, keeps its failure. If waivers set aside all findings, the case is skipped as waived.
func (o *Outcome) Result(c Listed, lookup Lookup) Result {
	o.mu.Lock()
	defer o.mu.Unlock()
	r := Result{Listed: c, Verdict: Passed, Waived: o.aside, Whole: o.End == nil, Evidence: o.proof, Calls: o.calls, Placed: o.placed}
	if end := o.End; end != nil {
		r.end(*end)
	}
	warnings, reductions := messages(o.marks, Warned), messages(o.marks, Passed)
	switch {
	case (r.Verdict == Passed || r.Verdict == Skipped) && len(warnings) > 0:
		r.Verdict, r.DecidedBy, r.Reason, r.Message = Warned, "", "", strings.Join(warnings, "\n")
	case r.Verdict == Passed && len(o.aside) > 0:
		r.Verdict, r.DecidedBy, r.Reason = Skipped, decider(o.aside), reasonsOf(o.aside)
	case r.Verdict == Passed && len(reductions) > 0:
		r.DecidedBy, r.Reason = ByEnvironment, strings.Join(reductions, "; ")
	}
	r.blame(o.marks, o.End, lookup)
	return r
}

// end sets the verdict, reason and message from the mark that ended the case.
func (r *Result) end(m Mark) {
	r.Verdict = m.Verdict
	switch m.Verdict {
	case Skipped:
		r.DecidedBy, r.Reason = m.DecidedBy, m.Message
	case Errored:
		r.Reason, r.Message = m.Reason, located(m)
	default:
		r.Message = located(m)
	}
}

// located returns the message of a mark, followed by the position in the suite where it was decided.
func located(m Mark) string {
	lines := strings.Split(m.Message, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	text := strings.TrimRight(strings.Join(lines, "\n"), "\n")
	if m.At != "" {
		text += "\nat " + m.At
	}
	return text
}

// blame collects the clauses that the verdict is about, and makes a failure that contradicts no MUST a warning.
func (r *Result) blame(marks []Mark, end *Mark, lookup Lookup) {
	if end != nil {
		marks = append(slices.Clone(marks), *end)
	}
	for _, m := range marks {
		if m.Verdict == r.Verdict {
			r.Blamed = append(r.Blamed, m.Clauses...)
		}
	}
	slices.Sort(r.Blamed)
	r.Blamed = slices.Compact(r.Blamed)
	concerned := r.Blamed
	if len(concerned) == 0 {
		concerned = r.Requirements
	}
	if r.Verdict == Failed && len(concerned) > 0 && !slices.ContainsFunc(concerned, lookup.Binds) {
		r.Verdict = Warned
	}
}

func messages(marks []Mark, of Verdict) []string {
	var found []string
	for _, m := range marks {
		if m.Verdict == of {
			found = append(found, m.Message)
		}
	}
	return found
}

// LeftOut returns the result of a case that was not requested.
func LeftOut(c Listed) Result {
	return Result{Listed: c, Verdict: Skipped, DecidedBy: ByFilter, Reason: "not among the requested cases"}
}

// Unrun returns the result of a case that was requested and did not begin; why is the reason.
func Unrun(c Listed, why string) Result {
	return Result{Listed: c, Verdict: Errored, Reason: NotRun, Message: why}
}
