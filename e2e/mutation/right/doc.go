// SPDX-License-Identifier: Apache-2.0

// Package right has unusual drivers that keep the specification: they share their storage with others, finish their
// work in the background, have no topology, or answer differently where the specification leaves the answer open. Each
// is the reference driver with something in front of it, together with the profile that its vendor would write. No case
// may fail for any of them.
package right
