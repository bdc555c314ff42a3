// SPDX-License-Identifier: Apache-2.0

// Package ginkgo connects the suite to Ginkgo: it declares cases as specs for suites that run with Ginkgo, matches labels by
// Ginkgo's grammar, and runs a suite that is written for Ginkgo as a guest among the cases. A spec ends with the Result of
// its case; no verdict of a case is read from Ginkgo.
package ginkgo
