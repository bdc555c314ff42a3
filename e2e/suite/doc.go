// SPDX-License-Identifier: Apache-2.0

// Package suite is the core of both tiers: what a case and a need are, how a case says what it found, how cases are
// chosen and run, and the Result of each. A verdict has this one form, from the judgement to the report.
//
// The package knows neither Ginkgo nor gRPC, Kubernetes or a driver: the Stage of a tier says what a case works with.
package suite
