// SPDX-License-Identifier: Apache-2.0

package embedded

import "os"

// inMemory is where Linux has a file system in memory.
const inMemory = "/dev/shm"

// MkdirTemp makes a directory for Options.Dir, as os.MkdirTemp does, which the caller removes. It is in memory if the
// system has such a file system and TMPDIR is not set: the driver syncs its records with every change, and they end
// with it.
func MkdirTemp(pattern string) (string, error) {
	if os.Getenv("TMPDIR") == "" {
		if dir, err := os.MkdirTemp(inMemory, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
