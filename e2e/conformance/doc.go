// SPDX-License-Identifier: Apache-2.0

// Package conformance judges reports: which conformance profiles the driver has, and whether the report can be published.
// It reads reports and the register, and depends on no driver and no cluster.
package conformance
