// SPDX-License-Identifier: Apache-2.0

// Package right has drivers that keep the specification and are unusual: they share their storage with others, finish
// their work in the background, have no topology, or answer where the specification leaves the answer open. Each is the
// reference driver with something in front of it, beside the profile that its vendor would write. No case may fail on any
// of them.
package right
