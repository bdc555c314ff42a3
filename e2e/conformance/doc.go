// SPDX-License-Identifier: Apache-2.0

// Package conformance says what a report is worth to others: which conformance profiles its driver has, and whether the
// report is one that can be published. It reads reports and the register, and knows no driver and no cluster.
package conformance
