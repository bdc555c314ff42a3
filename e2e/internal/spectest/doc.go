// SPDX-License-Identifier: Apache-2.0

// Package spectest is for the tests of the spec tier: it runs cases in a process of their own, because Ginkgo runs one
// suite in each process, against the reference driver or one that is wrong in one way.
package spectest
