// SPDX-License-Identifier: Apache-2.0

// Package mount mounts, binds and unmounts at paths that the caller of the driver
// names, and never follows a link there. It knows mounts and where they are, but not
// what a volume is on disk.
package mount
