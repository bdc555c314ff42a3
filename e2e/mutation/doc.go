// SPDX-License-Identifier: Apache-2.0

// Package mutation builds faulty drivers, each from the reference driver and a fault in front of it, with the required
// results of the cases of the spec tier. Each package below it has the faulty drivers for one part of the specification,
// package right has unusual drivers that conform to the specification, and package catalogue has all of them.
//
// It runs the cases of the spec tier, and csi-sanity, against one of the drivers in this process. It depends on no cluster,
// and no package that vendors use imports it.
package mutation
