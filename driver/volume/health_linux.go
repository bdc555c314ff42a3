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
			Message: fmt.Sprintf("the file system at %s serves nothing any more, look for its error in the kernel's log, then take the volume from the node and bring it again, by which it is repaired (%v)", path, err),
		}}
	}
	problems := countedErrors(mounted, path)
	if !isReadOnly(mounted) && (slices.Contains(options, "ro") || slices.Contains(options, "emergency_ro")) {
		problems = append(problems, Problem{
			Severity: Inaccessible, Reason: "FileSystemReadOnly",
			Message: fmt.Sprintf("the file system at %s takes no writes any more since it met an error, look for that in the kernel's log, then take the volume from the node and bring it again, by which it is repaired", path),
		})
	}
	return problems
}

// countedErrors looks for errors that an ext4 met since it was checked last. What it
// does then is its own affair (mount option errors=): on some kernels it takes no
// writes any more and does not say so.
func countedErrors(mounted *mountinfo.Info, path string) []Problem {
	device, err := deviceName(mounted.Major, mounted.Minor)
	if err != nil || mounted.FSType != "ext4" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join("/sys/fs/ext4", device, "errors_count"))
	if count := strings.TrimSpace(string(text)); err == nil && count != "0" {
		return []Problem{{
			Severity: Degraded, Reason: "FileSystemErrors",
			Message: fmt.Sprintf("the file system at %s met %s errors, look for them in the kernel's log, then take the volume from the node and bring it again, by which it is repaired", path, count),
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
