// SPDX-License-Identifier: Apache-2.0

package embedded

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	// inMemory is the mount point of the file system in memory on Linux.
	inMemory = "/dev/shm"
	// roomInMemory is the free space in bytes that it must have. In a container it often has only 64 MiB, too little for
	// several drivers.
	roomInMemory = 1 << 30
)

// MkdirTemp makes a directory for Options.Dir, as os.MkdirTemp does, which the caller removes. It is in memory if the
// system has such a file system with room and TMPDIR is not set: the driver syncs its records with every change, and does
// not need them when it has ended.
func MkdirTemp(pattern string) (string, error) {
	var memory unix.Statfs_t
	if os.Getenv("TMPDIR") == "" && unix.Statfs(inMemory, &memory) == nil && memory.Bavail*uint64(memory.Bsize) >= roomInMemory {
		if dir, err := os.MkdirTemp(inMemory, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
