// SPDX-License-Identifier: Apache-2.0

// Package spec is the spec tier: cases that speak gRPC to a driver's controller and node endpoints, without a cluster.
//
// Each package below it has the cases of one part of the specification, one case in a file of its name; harness has what
// happens around every case. What is allowed is e2e/model's to say.
package spec
