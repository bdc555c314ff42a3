// SPDX-License-Identifier: Apache-2.0

package paths

import (
	"os"

	"golang.org/x/sys/unix"
)

func unmount(path string) error {
	return os.NewSyscallError("umount", unix.Unmount(path, unix.UMOUNT_NOFOLLOW))
}
