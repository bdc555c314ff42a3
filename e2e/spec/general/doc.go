// SPDX-License-Identifier: Apache-2.0

// Package general contains the spec tier's cases about rules for every call: REQUIRED fields are checked, strings and maps
// have size limits, and calls that are concurrent, or cut short and repeated, take effect once.
package general
