// SPDX-License-Identifier: Apache-2.0

// Package mount mounts, bind-mounts and unmounts at paths that the caller of the driver names, and never follows a link
// there. It knows mounts and their paths, but not the form of a volume on disk.
package mount
