// SPDX-License-Identifier: Apache-2.0

// Package harness is the driver under test as the spec tier's cases see it, and what happens around every case: the
// driver is asked who it is, what the case needs is compared with that, every call has a deadline and is recorded,
// everything that the case made is removed, and the driver must then be as it was before.
//
// A case speaks to the driver by the plain clients of the CSI module: deadlines, records and the ledger are in the
// connection under them. What is allowed is e2e/model's to say, and the cases' own packages'; the harness judges nothing
// but leaks.
//
// Packages below it that import it do with a Driver what only some cases do: calls, creation, data, deletion, fill, growth,
// listing, publication, snapshots and validation. The others know no Driver.
package harness
