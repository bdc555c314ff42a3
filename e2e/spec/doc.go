// SPDX-License-Identifier: Apache-2.0

// Package spec is the spec tier: cases that speak gRPC to a driver's controller and node endpoints, without a cluster.
//
// Each package below it has the cases of one part of the specification, in files that are named by their subjects, and
// register.go lists their areas. Package harness runs around every case, and packages below it have what only some
// cases need, such as growing or publishing volumes. Package e2e/model decides what is allowed.
package spec
