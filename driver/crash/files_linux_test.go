// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// hashLimit is the size in bytes up to which a file is compared by its content. A larger image has a file system, which
// changes by itself; its content is read at the mount point.
const hashLimit = mib

// file is a file or a directory below the data directory.
type file struct {
	// path begins at the data directory.
	path string
	info fs.FileInfo
	// content is a hash; "" for a directory, and for a file that is too large.
	content string
}

// filesOf returns everything below the data directory, except for files that are always there.
func filesOf(at layout) ([]file, error) {
	var found []file
	err := filepath.WalkDir(at.data(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f := file{}
		if f.path, err = filepath.Rel(at.data(), path); err != nil {
			return err
		}
		switch f.path {
		case ".", "volumes", "snapshots", "trash", filepath.Base(at.records()):
			return nil
		}
		if f.info, err = entry.Info(); err != nil {
			return err
		}
		if entry.Type().IsRegular() && f.info.Size() <= hashLimit {
			if f.content, err = hashOf(path); err != nil {
				return err
			}
		}
		found = append(found, f)
		return nil
	})
	return found, err
}

func hashOf(path string) (string, error) {
	content, err := os.ReadFile(path)
	return fmt.Sprintf("%.8x", sha256.Sum256(content)), err
}

// String returns the properties of the file that should be the same every time.
func (f file) String() string {
	if !f.info.Mode().IsRegular() {
		return fmt.Sprintf("data/%s %s", f.path, f.info.Mode())
	}
	blocks := "thin"
	if stat, ok := f.info.Sys().(*syscall.Stat_t); ok && stat.Blocks*512 >= f.info.Size() {
		blocks = "allocated"
	}
	return fmt.Sprintf("data/%s %s %d bytes %s content %s", f.path, f.info.Mode(), f.info.Size(), blocks, f.content)
}

// owner returns the id of the volume or snapshot that the file belongs to, and whether
// it is a snapshot; an error if its path belongs to neither.
func (f file) owner() (id string, snapshot bool, err error) {
	elements := strings.Split(f.path, string(filepath.Separator))
	if len(elements) < 2 || (elements[0] != "volumes" && elements[0] != "snapshots") {
		return "", false, errors.New("it is in neither volumes nor snapshots")
	}
	id, extension, _ := strings.Cut(elements[1], ".")
	if kind, known := volume.KindOf(id); !known || (extension != "img" || kind != volume.Image) && (extension != "dir" || kind != volume.Dir) {
		return "", false, fmt.Errorf("%q is the name of no volume or snapshot", elements[1])
	}
	return id, elements[0] == "snapshots", nil
}
