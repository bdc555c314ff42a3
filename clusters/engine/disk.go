// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// FreeBytes returns the number of bytes that this user can still write below dir, which need not exist yet.
func FreeBytes(dir string) (int64, error) {
	for {
		_, err := os.Stat(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0, fmt.Errorf("reading the free space at %s: %w", dir, err)
	}
	return int64(stat.Bavail * uint64(stat.Bsize)), nil
}

// CheckDisk returns an error if fewer than need bytes are free below dir.
func CheckDisk(dir string, need int64) error {
	free, err := FreeBytes(dir)
	if err != nil {
		return err
	}
	if free < need {
		return fmt.Errorf("%s has %.1f GiB free and %.1f GiB are needed: free some, or set XDG_CACHE_HOME to a bigger disk", dir, gib(free), gib(need))
	}
	return nil
}

func gib(bytes int64) float64 { return float64(bytes) / (1 << 30) }
