// SPDX-License-Identifier: Apache-2.0

// Package image keeps a volume as a file with an XFS or an ext4, or as a raw block
// device, which a node attaches to a loop device.
package image

// MinimumBytes is the size below which no file system is made in an image:
// mkfs.xfs refuses less than 300 MiB.
const MinimumBytes = 300 << 20
