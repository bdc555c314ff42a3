// SPDX-License-Identifier: Apache-2.0

// Package spectest is for the tests of the spec tier: it runs cases against a driver of e2e/mutation, and holds what they
// say of it against what is expected.
package spectest
