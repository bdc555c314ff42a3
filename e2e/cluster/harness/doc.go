// SPDX-License-Identifier: Apache-2.0

// Package harness has what the cases of the cluster tier have in common. Around every case, a Scenario provides a
// namespace of its own, a connection to the driver's controller, a clean-up, and a check that nothing was left behind.
// What cases do with it is in the packages below this one, by subject.
//
// Cases run concurrently, unless one must run alone. A case that counts or takes room gets a pool of the profile, which
// is separate storage, or runs alone if the profile has none. Zones are filled outside of Kubernetes, by calls to the
// driver, as a second cluster on the same storage would do. The provisioner refreshes CSIStorageCapacity objects when a
// class is created and when it provisions or deletes in a segment, otherwise only at its poll interval; so a class that
// is created after the zone was filled is up to date, and an earlier one is stale.
//
// A case that runs alone compares what the driver holds, and its room, with the state before, if the profile says that
// the run uses the driver exclusively. A case with a pool compares the room of its pool. Any other looks at its own
// volumes.
package harness
