// SPDX-License-Identifier: Apache-2.0

// Package mutation is what wrong drivers are made of: the reference driver with a fault in front of it, and what cases of
// the spec tier have to say of it. The packages below it have the drivers of one part of the specification each, right has
// unusual drivers that keep the specification, and catalogue has all of them.
//
// It runs the cases of the spec tier, and csi-sanity, against one of the drivers in this process. It knows no cluster, and
// nothing that a vendor uses imports it.
package mutation
