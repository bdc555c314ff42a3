// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
)

// inMemory is the mount point of a file system in memory on Linux.
const inMemory = "/dev/shm"

// newScratch makes a directory for runs, with a short path, because it contains sockets. It is in memory if the system
// has such a file system and TMPDIR names no other, because drivers sync their records with every change, and none of
// them has to outlive the run.
func newScratch() (dir string, remove func() error, err error) {
	const prefix = "m"
	if os.Getenv("TMPDIR") == "" {
		dir, err = os.MkdirTemp(inMemory, prefix)
	}
	if dir == "" {
		dir, err = os.MkdirTemp("", prefix)
	}
	if err != nil {
		return "", nil, fmt.Errorf("making a directory for the runs: %w", err)
	}
	return dir, func() error { return os.RemoveAll(dir) }, nil
}
