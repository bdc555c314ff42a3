// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// CheckPaths returns the problems of a volume at the paths where it should be staged and published; it skips an empty
// path. check returns the problems at one path, or ErrNotFound if the volume is not there.
func CheckPaths(stagingPath, targetPath string, check func(path string) ([]volume.Problem, error)) ([]volume.Problem, error) {
	var problems []volume.Problem
	for _, at := range []struct{ path, reason string }{{stagingPath, "NotStaged"}, {targetPath, "NotPublished"}} {
		if at.path == "" {
			continue
		}
		found, err := check(at.path)
		if errors.Is(err, volume.ErrNotFound) {
			found, err = []volume.Problem{{
				Severity: volume.Inaccessible, Reason: at.reason,
				Message: fmt.Sprintf("stage and publish the volume again: %v", err),
			}}, nil
		}
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	return volume.Distinct(problems), nil // both paths have the same file system
}

// CheckFileSystem returns the problems of the file system mounted at the path: after an error, it may have stopped all
// access, or only writes.
func CheckFileSystem(mounted *mountinfo.Info, path string) []volume.Problem {
	options := strings.Split(mounted.VFSOptions, ",")
	if err := readable(path); err != nil || slices.Contains(options, "shutdown") {
		return []volume.Problem{{
			Severity: volume.Inaccessible, Reason: "FileSystemShutDown",
			Message: fmt.Sprintf("the file system at %s has shut down: look for its error in the kernel's log, then unstage the volume and stage it again to repair it (%v)", path, err),
		}}
	}
	if !IsReadOnly(mounted) && (slices.Contains(options, "ro") || slices.Contains(options, "emergency_ro")) {
		return []volume.Problem{{
			Severity: volume.Inaccessible, Reason: "FileSystemReadOnly",
			Message: fmt.Sprintf("the file system at %s became read-only after an error: look for it in the kernel's log, then unstage the volume and stage it again to repair it", path),
		}}
	}
	return nil
}

// readable returns an error if the directory cannot be read.
func readable(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err := dir.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// UsageAt returns the usage of the file system at the path, from statfs(2).
func UsageAt(path string) (volume.Usage, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return volume.Usage{}, fmt.Errorf("asking the file system at %s what it holds: %w", path, err)
	}
	block := s.Bsize
	return volume.Usage{
		TotalBytes:      int64(s.Blocks) * block,
		UsedBytes:       int64(s.Blocks-s.Bfree) * block,
		AvailableBytes:  int64(s.Bavail) * block,
		TotalInodes:     int64(s.Files),
		UsedInodes:      int64(s.Files - s.Ffree),
		AvailableInodes: int64(s.Ffree),
	}, nil
}
