// SPDX-License-Identifier: Apache-2.0

// Package draft writes a profile as a file for its vendor to go on with: every field with what it is for, those that are
// known with their values, the others as comments that say how to find out. It knows neither drivers nor clusters: those
// who ask them fill in a Draft.
package draft
