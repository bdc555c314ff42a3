// SPDX-License-Identifier: Apache-2.0

// Package spectest is for tests of the spec tier: it runs cases against a driver of e2e/mutation, and compares their
// verdicts with the expected ones.
package spectest
