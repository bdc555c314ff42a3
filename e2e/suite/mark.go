// SPDX-License-Identifier: Apache-2.0

package suite

// Mark is the value of a report entry that says how a case ends, or that it goes on with a warning.
type Mark struct {
	Verdict   Verdict   `json:"verdict"`
	DecidedBy DecidedBy `json:"decidedBy,omitempty"`
	Message   string    `json:"message"`
	// Clauses are the requirements that a failure or a warning is about; without any it is about all of the case's.
	Clauses []string `json:"clauses,omitempty"`
	// NotRun says that the case was asked for and did not run, which is an error.
	NotRun bool `json:"notRun,omitempty"`
	// At is where the suite decided so, as file:line below the module; empty where Ginkgo knows.
	At string `json:"at,omitempty"`
}

// NotRun is the reason of a case that was asked for and that the end of the run, or the failure of another case, kept
// from running.
const NotRun = "not run"
