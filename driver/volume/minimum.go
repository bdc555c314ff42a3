// SPDX-License-Identifier: Apache-2.0

package volume

// MinimumBytes is the size below which no file system is made in an image:
// mkfs.xfs refuses less than 300 MiB.
const MinimumBytes = 300 << 20
