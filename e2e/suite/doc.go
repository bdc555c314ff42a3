// SPDX-License-Identifier: Apache-2.0

// Package suite is the core of both tiers: it defines cases, their needs and their verdicts, chooses and runs cases, and
// returns the Result of each. A verdict keeps this form from the judgement to the report.
//
// The package is independent of Ginkgo, gRPC, Kubernetes and drivers: the Stage of a tier provides the value that a case
// works with.
package suite
