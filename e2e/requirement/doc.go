// SPDX-License-Identifier: Apache-2.0

// Package requirement is the register: what the CSI specification and Kubernetes' documentation ask of a driver and of
// the platform around it, one row each, as data. Cases name rows by id; the register knows no case, no driver and no
// cluster.
package requirement
