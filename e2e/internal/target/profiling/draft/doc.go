// SPDX-License-Identifier: Apache-2.0

// Package draft writes a profile as a file for its vendor to complete: every field with its purpose, known ones with their
// values, the others as comments that say how to find them. It depends on neither drivers nor clusters: packages that query
// these fill in a Draft.
package draft
