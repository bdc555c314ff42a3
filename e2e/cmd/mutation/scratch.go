// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
)

// inMemory is where Linux has a file system in memory.
const inMemory = "/dev/shm"

// newScratch makes a directory for runs, with a short path: it is that of sockets. It is in memory where the system has
// a place for that and TMPDIR names no other, as drivers sync their records with every change, and nothing of them has to
// outlive the run.
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
