// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
)

// removeDir removes the directory of a run with its content, unless something is mounted there: others may use the mounted
// files as well. In that case it removes only empty directories.
func removeDir(dir string) error {
	if dir == "" {
		return nil
	}
	mounts, err := mountinfo.GetMounts(mountinfo.PrefixFilter(dir))
	if err == nil && len(mounts) == 0 {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("removing the directory of the run: %w", err)
		}
		return nil
	}
	removeEmpty(dir)
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("removing the directory of the run, %s: it is not empty, and cannot be checked for mounts: %w", dir, err)
	}
	return fmt.Errorf("removing the directory of the run: the driver has left volumes mounted: %s", strings.Join(pointsOf(mounts), ", "))
}

// pointsOf names the mount points, each once.
func pointsOf(mounts []*mountinfo.Info) []string {
	var points []string
	times := map[string]int{}
	for _, mount := range mounts {
		if times[mount.Mountpoint]++; times[mount.Mountpoint] == 1 {
			points = append(points, mount.Mountpoint)
		}
	}
	for i, point := range points {
		switch n := times[point]; n {
		case 1:
		case 2:
			points[i] += " (mounted twice)"
		default:
			points[i] += fmt.Sprintf(" (mounted %d times)", n)
		}
	}
	return points
}

// removeEmpty removes the directories that contain nothing but empty directories.
func removeEmpty(dir string) {
	var inside []string
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			inside = append(inside, path)
		}
		return nil
	})
	for _, one := range slices.Backward(inside) {
		_ = os.Remove(one) // one that is not empty stays
	}
}
