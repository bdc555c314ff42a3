// SPDX-License-Identifier: Apache-2.0

// Package requirement is the register: the requirements of the CSI specification and of Kubernetes' documentation on a
// driver and the platform around it, one row each, as data. Cases name rows by id; the register depends on no case, no
// driver and no cluster.
package requirement
