// SPDX-License-Identifier: Apache-2.0

package suite

// Mark is the end of a case, or a warning or reduction after which it continues.
type Mark struct {
	Verdict   Verdict
	DecidedBy DecidedBy
	Message   string
	// Clauses are the requirements that a failure or a warning is about; if empty, it is about all of the case's.
	Clauses []string
	// Reason is why the suite could not tell: CouldNot, NotRun or Interrupted; empty for any other verdict.
	Reason string
	// At is the position of the decision, as file:line below the module; empty if that does not help.
	At string
}

// The reasons of errors.
const (
	// CouldNot is the reason of a case that found no evidence either way.
	CouldNot = "could not tell"
	// NotRun is the reason of a case that was selected and did not begin.
	NotRun = "not run"
	// Interrupted is the reason of a case that was cut by the end of the run.
	Interrupted = "interrupted"
)

// endedBefore is the message of a case that did not begin because the run ended.
const endedBefore = "the run ended before this case began"
