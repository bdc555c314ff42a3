// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// contents is the directory with the data of Volumes's volumes and snapshots; "" if they have none. Target paths are in
// the same file system: they contain hard links to the files of their volume, or are a hard link to its device. Files
// written at one path of a volume appear at another one that is published afterwards.
type contents string

// The folders of contents.
const (
	ofVolumes   = "volumes"
	ofSnapshots = "snapshots"

	// filesName are the files of a volume or a snapshot, and deviceName is its device.
	filesName, deviceName = "files", "device"
)

func (c contents) of(folder, id string) string { return filepath.Join(string(c), folder, id) }

func (c contents) files(id string) string  { return filepath.Join(c.of(ofVolumes, id), filesName) }
func (c contents) device(id string) string { return filepath.Join(c.of(ofVolumes, id), deviceName) }

// publish makes the target path: a directory with the volume's files, or its device with the given number of bytes.
func (c contents) publish(id, targetPath string, block bool, bytes int64) error {
	if c == "" {
		return makeTarget(targetPath, block)
	}
	if err := os.MkdirAll(c.files(id), 0o750); err != nil {
		return err
	}
	if !block {
		if err := makeTarget(targetPath, block); err != nil {
			return err
		}
		return linkFiles(c.files(id), targetPath)
	}
	if err := enlarge(c.device(id), bytes); err != nil {
		return err
	}
	if same(c.device(id), targetPath) {
		return nil
	}
	if err := removeTarget(targetPath, block); err != nil {
		return err
	}
	return os.Link(c.device(id), targetPath)
}

// keep adds the files at the volume's target path to the volume.
func (c contents) keep(id, targetPath string) error {
	if c == "" {
		return nil
	}
	return linkFiles(targetPath, c.files(id))
}

// unpublish removes the target path of the volume, whose data stays in the volume.
func (c contents) unpublish(id, targetPath string, block bool) error {
	switch {
	case c == "":
		return removeTarget(targetPath, block)
	case !block:
		if err := c.keep(id, targetPath); err != nil {
			return err
		}
		return os.RemoveAll(targetPath)
	case same(c.device(id), targetPath):
		return os.Remove(targetPath)
	default:
		return removeTarget(targetPath, block)
	}
}

// grow grows the volume's device, if it has one, to the given number of bytes.
func (c contents) grow(id string, bytes int64) error {
	if _, err := os.Stat(c.device(id)); c == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return enlarge(c.device(id), bytes)
}

// restore copies the content of the origin into the volume.
func (c contents) restore(ctx context.Context, from volume.Origin, id string) error {
	switch {
	case from.SnapshotID != "":
		return c.copy(ctx, ofSnapshots, from.SnapshotID, ofVolumes, id)
	case from.VolumeID != "":
		return c.copy(ctx, ofVolumes, from.VolumeID, ofVolumes, id)
	default:
		return nil
	}
}

func (c contents) copy(ctx context.Context, folder, id, toFolder, to string) error {
	source, target := c.of(folder, id), c.of(toFolder, to)
	if _, err := os.Stat(source); c == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.CopyFS(filepath.Join(target, filesName), os.DirFS(filepath.Join(source, filesName))); err != nil {
		return err
	}
	return copyDevice(ctx, filepath.Join(source, deviceName), filepath.Join(target, deviceName))
}

// copyDevice copies a device, if there is one, without its holes.
func copyDevice(ctx context.Context, from, to string) error {
	source, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	if err := enlarge(to, info.Size()); err != nil {
		return err
	}
	target, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = volume.RangesOf(ctx, source, nil, 0, func(r volume.Range) error {
		_, err := io.Copy(io.NewOffsetWriter(target, r.Offset), io.NewSectionReader(source, r.Offset, r.Bytes))
		return err
	})
	return errors.Join(err, target.Close())
}

// ranges finds where the device of a snapshot has data.
func (c contents) ranges(ctx context.Context, id, baseID string, from int64, found func(volume.Range) error) error {
	open := func(id string) (*os.File, error) {
		file, err := os.Open(filepath.Join(c.of(ofSnapshots, id), deviceName))
		if c == "" || errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return file, err
	}
	file, err := open(id)
	if file == nil || err != nil {
		return err
	}
	defer file.Close()
	if baseID == "" {
		return volume.RangesOf(ctx, file, nil, from, found)
	}
	base, err := open(baseID)
	if err != nil {
		return err
	}
	if base == nil { // the base was taken before the volume had a device
		return volume.RangesOf(ctx, file, nil, from, found)
	}
	defer base.Close()
	return volume.RangesOf(ctx, file, base, from, found)
}

func (c contents) remove(folder, id string) error {
	if c == "" {
		return nil
	}
	return os.RemoveAll(c.of(folder, id))
}

// linkFiles links the files of one directory into another, where they replace files of the same names. It succeeds if the
// first does not exist.
func linkFiles(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o750)
		}
		if !entry.Type().IsRegular() || same(path, target) {
			return nil
		}
		if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return os.Link(path, target)
	})
}

// same reports whether both paths are the same file.
func same(path, other string) bool {
	var one, two unix.Stat_t
	return unix.Lstat(path, &one) == nil && unix.Lstat(other, &two) == nil && one.Dev == two.Dev && one.Ino == two.Ino
}

// enlarge makes a sparse file of at least the given number of bytes.
func enlarge(path string, bytes int64) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Size() < bytes {
		err = file.Truncate(bytes)
	}
	return errors.Join(err, file.Close())
}
