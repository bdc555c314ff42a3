// SPDX-License-Identifier: Apache-2.0

// Package spec is the spec tier: cases that speak gRPC to a driver's controller and node endpoints, without a cluster.
//
// Each subpackage contains the cases of one part of the specification, in files named after their subjects, and register.go
// lists their areas. Package harness surrounds every case, and its subpackages contain operations that only some cases need,
// such as growing or publishing volumes. Package e2e/model decides what is allowed.
package spec
