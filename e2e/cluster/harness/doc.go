// SPDX-License-Identifier: Apache-2.0

// Package harness has the common code of the cluster tier's cases. A Scenario provides each case with its own namespace, a
// connection to the driver's controller, a clean-up, and a check that nothing was left behind. The packages below this one
// have the actions of cases, by subject.
//
// Cases run concurrently, unless one must run alone. A case that counts or takes room gets a pool of the profile, which is
// separate storage, or runs alone if the profile has none. Zones are filled outside of Kubernetes, by calls to the driver,
// like a second cluster on the same storage. The provisioner refreshes CSIStorageCapacity objects when a class is created
// and when it provisions or deletes in a segment, otherwise only at its poll interval; so the capacity of a class that is
// created after the zone was filled is up to date, and the capacity of an earlier class is stale.
//
// A case that runs alone compares the driver's volumes, and its room, with the state before, if the profile says that the
// run uses the driver exclusively. A case with a pool compares the room of its pool. Any other case checks only its own
// volumes.
package harness
