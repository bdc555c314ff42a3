// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// pathLines describes the files at the staging and target paths, with the content that can be read there.
func pathLines(at layout) ([]string, error) {
	var lines []string
	err := filepath.WalkDir(at.pods(), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == at.pods() {
			return err
		}
		// The entry of the directory does not show a mount over it.
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("path %s %s", at.below(path), info.Mode().Type())
		if !info.IsDir() {
			content, err := beginning(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %q", content)
		}
		lines = append(lines, line)
		return nil
	})
	return lines, err
}

// beginning returns the first bytes of a file or device, as many as a marker has.
func beginning(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, int64(len(marker))))
	return string(content), err
}

// mountsOf returns the mounts with their sizes; it names a loop device by its file.
func mountsOf(at layout) ([]located, error) {
	mounts, err := mountsBelow(at)
	if err != nil {
		return nil, err
	}
	loops, err := loopsBelow(at)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, l := range loops {
		files[l.name] = at.below(l.file)
	}
	var found []located
	for _, mounted := range mounts {
		line := fmt.Sprintf("mount %s %s %s", at.below(mounted.Mountpoint), mounted.FSType, mounted.Options)
		device, err := loopAt(mounted.Mountpoint)
		if err != nil {
			return nil, err
		}
		image, isImage := files[filepath.Base(mounted.Source)]
		switch {
		case device != "":
			line += " device of " + files[device]
		case isImage:
			var s unix.Statfs_t
			if err := unix.Statfs(mounted.Mountpoint, &s); err != nil {
				return nil, fmt.Errorf("asking for the size of %s: %w", mounted.Mountpoint, err)
			}
			line += fmt.Sprintf(" file system of %s, %d bytes", image, int64(s.Blocks)*s.Bsize)
		default:
			line += " directory " + at.below(mounted.Root)
		}
		found = append(found, located{at.below(mounted.Mountpoint), line})
	}
	return found, nil
}

// loopLines returns the loop devices with their sizes.
func loopLines(at layout) ([]string, error) {
	loops, err := loopsBelow(at)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, l := range loops {
		sectors, err := os.ReadFile(filepath.Join("/sys/block", l.name, "size"))
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("loop device of %s, read-only %t, %s sectors", at.below(l.file), l.readOnly, strings.TrimSpace(string(sectors))))
	}
	return lines, nil
}

// usagesOf returns the node's records of how volumes are used.
func usagesOf(at layout) ([]located, error) {
	entries, err := os.ReadDir(at.usages())
	if err != nil {
		return nil, err
	}
	var found []located
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(at.usages(), entry.Name()))
		if err != nil {
			return nil, err
		}
		var r struct {
			VolumeID, Path, Role, AccessMode, FSType string
			Block, ReadOnly                          bool
		}
		if err := json.Unmarshal(content, &r); err != nil {
			found = append(found, located{line: fmt.Sprintf("usage %s is no record: %q", entry.Name(), content)})
			continue
		}
		found = append(found, located{at.below(r.Path), fmt.Sprintf("usage of %s, %s at %s as %s, file system %q, block %t, read-only %t",
			r.VolumeID, r.Role, at.below(r.Path), r.AccessMode, r.FSType, r.Block, r.ReadOnly)})
	}
	return found, nil
}
