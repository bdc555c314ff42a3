// SPDX-License-Identifier: Apache-2.0

// Package harness presents the driver under test to the cases of the spec tier, and surrounds every case: it reads the
// driver's claims and compares them with the needs of the case, limits and records every call, removes everything that
// the case made, and then checks that the driver is as it was before.
//
// A case calls the driver with the plain clients of the CSI module: deadlines, records and the ledger are in the connection
// under them. e2e/model and the packages of the cases decide what is allowed; the harness judges only leaks, and rules that
// hold for every answer.
//
// Its subpackages calls, creation, data, deletion, device, fill, groups, growth, listing, publication, snapshots and
// validation import it: they contain operations on a Driver that only some cases need. The other subpackages are independent
// of Driver.
package harness
