// SPDX-License-Identifier: Apache-2.0

// Package judge is how cases say what they found: each function fails, warns, skips or explains in the words of a clause,
// and an Outcome keeps what one case said until Ginkgo is told. It is what the harnesses of both tiers have in common.
package suite
