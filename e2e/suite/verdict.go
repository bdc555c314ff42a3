// SPDX-License-Identifier: Apache-2.0

package suite

// Verdict is the outcome of one case.
type Verdict string

const (
	// Passed means that the behaviour was exercised and held.
	Passed Verdict = "pass"
	// Failed means that an answer contradicted a MUST or SHALL.
	Failed Verdict = "fail"
	// Warned means that the driver contradicted a SHOULD, or did something that the specification allows but users will
	// regret.
	Warned Verdict = "warn"
	// Errored means that the harness could not tell.
	Errored Verdict = "error"
	// Skipped means that the behaviour was not exercised; DecidedBy says whose decision that was.
	Skipped Verdict = "skip"
)

// DecidedBy says who decided that a case was not exercised.
type DecidedBy string

const (
	// ByCapability means that the driver does not claim the capability.
	ByCapability DecidedBy = "capability"
	// ByProfile means that the vendor's profile excludes the behaviour.
	ByProfile DecidedBy = "profile"
	// ByEnvironment means that the environment does not meet a need of the case, such as zones or root.
	ByEnvironment DecidedBy = "environment"
	// ByFilter means that the command line selected other cases.
	ByFilter DecidedBy = "filter"
	// ByWaiver means that the vendor waives all findings of the case, for a given reason. The behaviour was exercised.
	ByWaiver DecidedBy = "waived"
)
