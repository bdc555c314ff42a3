// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// checkFileSystem looks for what is wrong with the file system that is mounted at
// the path: one that met an error may have stopped to serve, or to take writes.
func checkFileSystem(mounted *mountinfo.Info, path string) []Problem {
	options := strings.Split(mounted.VFSOptions, ",")
	if err := readable(path); err != nil || slices.Contains(options, "shutdown") {
		return []Problem{{
			Severity: Inaccessible, Reason: "FileSystemShutDown",
			Message: fmt.Sprintf("the file system at %s has shut down: look for its error in the kernel's log, then unstage the volume and stage it again to repair it (%v)", path, err),
		}}
	}
	problems := countedErrors(mounted, path)
	if !isReadOnly(mounted) && (slices.Contains(options, "ro") || slices.Contains(options, "emergency_ro")) {
		problems = append(problems, Problem{
			Severity: Inaccessible, Reason: "FileSystemReadOnly",
			Message: fmt.Sprintf("the file system at %s became read-only after an error: look for it in the kernel's log, then unstage the volume and stage it again to repair it", path),
		})
	}
	return problems
}

// countedErrors looks for errors that an ext4 met since it was checked last. What it
// does then is its own affair (mount option errors=): on some kernels it
// refuses writes without saying so.
func countedErrors(mounted *mountinfo.Info, path string) []Problem {
	device, err := deviceName(mounted.Major, mounted.Minor)
	if err != nil || mounted.FSType != "ext4" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join("/sys/fs/ext4", device, "errors_count"))
	if count := strings.TrimSpace(string(text)); err == nil && count != "0" {
		return []Problem{{
			Severity: Degraded, Reason: "FileSystemErrors",
			Message: fmt.Sprintf("the file system at %s met %s errors: look for them in the kernel's log, then unstage the volume and stage it again to repair it", path, count),
		}}
	}
	return nil
}

// readable tries whether the directory can be read.
func readable(path string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return err
	}
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

// notThere is the problem of a volume that is not at a path where it should be.
func notThere(reason string, err error) Problem {
	return Problem{Severity: Inaccessible, Reason: reason, Message: fmt.Sprintf("stage and publish the volume again: %v", err)}
}
