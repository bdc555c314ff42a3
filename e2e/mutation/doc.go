// SPDX-License-Identifier: Apache-2.0

// Package mutation builds wrong drivers: the reference driver with a fault in front of it, and the results that the
// cases of the spec tier must have. Each package below it has the wrong drivers for one part of the specification,
// right has unusual drivers that keep the specification, and catalogue has all of them.
//
// It runs the cases of the spec tier, and csi-sanity, against one of the drivers in this process. It knows no cluster,
// and nothing that a vendor uses imports it.
package mutation
