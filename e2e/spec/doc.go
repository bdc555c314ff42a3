// SPDX-License-Identifier: Apache-2.0

// Package spec is the spec tier: cases that speak gRPC to a driver's controller and node endpoints, without a cluster.
//
// Each package below it has the cases of one part of the specification, in files that are named by their subjects, and
// register.go lists their areas. Package harness has what happens around every case, and below it are packages by subject for
// what only some cases do, such as growing or publishing volumes. What is allowed is e2e/model's to say.
package spec
