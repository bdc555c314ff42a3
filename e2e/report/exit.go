// SPDX-License-Identifier: Apache-2.0

package report

// The exit statuses of a run.
const (
	ExitPassed = 0
	ExitFailed = 1
	ExitError  = 2
)

// ExitCode is the exit status that the report asks for: 1 if a case failed, for a contradiction of the specification is
// what a run looks for; else 2 if the harness could not tell something; else 0. A run that exercised nothing shows
// nothing, and is an error.
func ExitCode(r *ConformanceReport) int {
	sum := r.Summary
	switch {
	case sum.Fail > 0:
		return ExitFailed
	case sum.Error > 0 || sum.exercised() == 0:
		return ExitError
	default:
		return ExitPassed
	}
}

// exercised is the number of cases that exercised something, whatever they found.
func (s Summary) exercised() int { return s.Pass + s.Warn + s.Fail + s.Waived }
