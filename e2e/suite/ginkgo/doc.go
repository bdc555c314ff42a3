// SPDX-License-Identifier: Apache-2.0

// Package ginkgo is where the suite meets Ginkgo: cases are declared as specs for those who run them with Ginkgo, chosen by
// Ginkgo's label grammar, and a suite that is written for Ginkgo runs among them as a guest. A spec says what the Result of
// its case says; no verdict of a case is read from Ginkgo.
package ginkgo
