// SPDX-License-Identifier: Apache-2.0

// Package hostile tests the driver's defences against hostile callers and against users who may write to its directories.
// It contains only tests and fuzz targets, for all RPCs.
//
//   - The corpus (value_test.go) is put into every text field of every request,
//     found by reflection (field_test.go), so that a new field cannot be forgotten.
//     What is to be answered is data (rule_test.go): INVALID_ARGUMENT or NOT_FOUND,
//     and each exception with the clause that requires it.
//   - Canaries (tree_test.go) lie all around the data directory, and must be the same
//     down to their times when a test is over.
//   - Symbolic links, foreign files and foreign mounts are planted where the driver
//     will come by (planted_linux_test.go).
//   - The fuzz targets (fuzz_test.go), one per RPC, hold the driver to the spec's
//     tables of codes (code_test.go) and to what must be so after any call
//     (fuzz_invariant_test.go). `go test` runs their seeds, `make fuzz` more.
package hostile
