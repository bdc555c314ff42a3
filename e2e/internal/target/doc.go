// SPDX-License-Identifier: Apache-2.0

// Package target connects a profile with the driver under test. It has no code: each package below it does one thing.
//
// Some connect to the driver that a profile describes, for a run:
//
//   - endpoint connects to the endpoints of a driver that csi-topo can reach by itself, for the spec tier.
//   - dial connects to the sockets of a driver in the pods of a cluster, for the cluster tier.
//   - hook runs the vendor's own programs, which the profile names.
//   - describe asks the driver what it is, for a report.
//   - preflight compares a cluster with the profile before the first case.
//
// The packages below profiling create a profile, for a vendor without one:
//
//   - interview asks the driver, and inventory reads the objects of a cluster where the driver is installed.
//   - convert reads what the vendor has for other suites.
//   - draft writes what they found, as a file to go on with.
//
// The tiers, e2e/internal/job, e2e/mutation and the csi-topo command import packages that reach a driver. Only the command
// imports packages that make a profile: a run uses the given profile. None of them depends on a case or a verdict.
package target
