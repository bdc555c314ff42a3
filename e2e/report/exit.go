// SPDX-License-Identifier: Apache-2.0

package report

// The exit statuses of a run.
const (
	ExitPassed = 0
	ExitFailed = 1
	ExitError  = 2
)

// ExitCode returns the exit status for the report: 1 if a case failed, because a run looks for contradictions of the
// specification; otherwise 2 if a case ended in an error, or the run exercised nothing; otherwise 0.
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

// exercised returns the number of cases that exercised something, with any result.
func (s Summary) exercised() int { return s.Pass + s.Warn + s.Fail + s.Waived }
