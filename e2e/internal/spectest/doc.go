// SPDX-License-Identifier: Apache-2.0

// Package spectest serves the tests of the spec tier: it runs cases against a driver of e2e/mutation, and compares
// their verdicts with what is expected.
package spectest
