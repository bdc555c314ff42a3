// SPDX-License-Identifier: Apache-2.0

// Package harness presents the driver under test to the cases of the spec tier, and surrounds every case: it reads the
// driver's claims and compares them with the needs of the case, limits and records every call, removes everything that
// the case made, and then checks that the driver is as it was before.
//
// A case calls the driver with the plain clients of the CSI module: deadlines, records and the ledger are in the
// connection under them. What is allowed is decided by e2e/model and by the packages of the cases; the harness judges
// nothing but leaks.
//
// Packages below it that import it do with a Driver what only some cases do: calls, creation, data, deletion, fill,
// growth, listing, publication, snapshots and validation. The others know no Driver.
package harness
