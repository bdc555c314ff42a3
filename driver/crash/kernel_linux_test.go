// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"
	"golang.org/x/sys/unix"
)

// mountsBelow returns the mounts below the directory, in the order of mounting.
func mountsBelow(at layout) ([]*mountinfo.Info, error) {
	found, err := mountinfo.GetMounts(mountinfo.PrefixFilter(string(at)))
	if err != nil {
		return nil, fmt.Errorf("reading the mount table: %w", err)
	}
	return found, nil
}

// loop is a loop device, and the file that is attached to it.
type loop struct {
	name, file string
	readOnly   bool
}

// loopsBelow returns the loop devices of files below the directory, including removed files, which the kernel calls
// "<path> (deleted)".
func loopsBelow(at layout) ([]loop, error) {
	attached, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		return nil, err
	}
	var found []loop
	for _, path := range attached {
		l := loop{name: filepath.Base(filepath.Dir(filepath.Dir(path)))}
		file, err := os.ReadFile(path)
		if isGone(err) {
			continue // it was detached just now
		}
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(string(file), string(at)+"/") {
			continue
		}
		readOnly, err := os.ReadFile(filepath.Join("/sys/block", l.name, "ro"))
		if err != nil {
			return nil, err
		}
		l.file, l.readOnly = strings.TrimSpace(string(file)), strings.TrimSpace(string(readOnly)) == "1"
		found = append(found, l)
	}
	return found, nil
}

// isGone reports whether a file of sysfs was removed while it was read.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV)
}

// loopAt returns the name of the loop device whose node is at the path, or "".
func loopAt(path string) (string, error) {
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil {
		return "", fmt.Errorf("looking at %s: %w", path, err)
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFBLK {
		return "", nil
	}
	link, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(stat.Rdev), unix.Minor(stat.Rdev)))
	return filepath.Base(link), err
}
