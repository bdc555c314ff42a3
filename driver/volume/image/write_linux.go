// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// write makes an image, as a copy of the source if there is one. It gets its name only when it has its size and is on
// disk: an image with a name is complete.
func (i *Provisioner) write(ctx context.Context, dir *os.Root, name string, size volume.Size, source *imageSource) error {
	if err := i.clear(dir, name); err != nil {
		return err
	}
	if err := i.fill(ctx, dir, datadir.Unfinished(name), size, source); err != nil {
		return errors.Join(err, i.clear(dir, name))
	}
	err := i.data.Watch.Do("image: name", func() error { return dir.Rename(datadir.Unfinished(name), name) })
	if err != nil {
		return fmt.Errorf("naming it: %w", err)
	}
	return i.data.Sync(dir, "image: sync names")
}

// clear removes the unfinished image of an interrupted call.
func (i *Provisioner) clear(dir *os.Root, name string) error {
	err := i.data.Watch.Do("image: clear", func() error { return dir.Remove(datadir.Unfinished(name)) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clearing what an interrupted call left of image %s: %w", name, err)
	}
	return nil
}

func (i *Provisioner) fill(ctx context.Context, dir *os.Root, name string, size volume.Size, source *imageSource) error {
	var file *os.File
	err := i.data.Watch.Do("image: make", func() (err error) {
		file, err = dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	if file == nil {
		return err
	}
	defer file.Close()
	if err != nil {
		return err
	}
	if source != nil {
		if err := i.data.Watch.Do("image: copy", func() error { return source.copyTo(ctx, file, size.Allocated) }); err != nil {
			return err
		}
	}
	return i.enlarge(file, size)
}

// enlarge gives the image its size and, if requested, the blocks for it, and flushes both to disk. A larger image keeps
// its size.
func (i *Provisioner) enlarge(file *os.File, size volume.Size) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := i.extend(file, info, size); err != nil {
		return errors.Join(err, giveBack(file, info))
	}
	return i.data.Watch.Do("image: sync", file.Sync)
}

func (i *Provisioner) extend(file *os.File, info fs.FileInfo, size volume.Size) error {
	if size.Allocated {
		if err := i.data.Watch.Do("image: allocate", func() error { return allocate(file, info, size.Bytes) }); err != nil {
			return err
		}
	}
	if info.Size() >= size.Bytes {
		return nil
	}
	return i.data.Watch.Do("image: size", func() error { return file.Truncate(size.Bytes) })
}

// giveBack frees the blocks that were allocated beyond the end of an image whose extension failed. Blocks within the image
// stay allocated. If the image has been extended nevertheless, it keeps its size, as a node may already use it.
func giveBack(file *os.File, before fs.FileInfo) error {
	now, err := file.Stat()
	if err != nil || now.Size() != before.Size() {
		return err
	}
	return file.Truncate(now.Size())
}

// allocate allocates the blocks for the first bytes of the file, even beyond its end; ENOSPC if there are not enough.
func allocate(file *os.File, info fs.FileInfo, bytes int64) error {
	bytes = max(bytes, info.Size())
	// The kernel would allocate all free blocks before it fails, which affects other users of the file system.
	var s unix.Statfs_t
	if err := unix.Fstatfs(int(file.Fd()), &s); err != nil {
		return fmt.Errorf("reading how much space is free: %w", err)
	}
	if need, free := bytes-blocksOf(info), int64(s.Bavail)*s.Bsize; need > free {
		return fmt.Errorf("allocating %d bytes more, of which the file system has %d: %w", need, free, syscall.ENOSPC)
	}
	if err := unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, bytes); err != nil {
		return fmt.Errorf("allocating %d bytes: %w", bytes, err)
	}
	return nil
}

// isAllocated reports whether the file has the blocks for all of its bytes.
func isAllocated(info fs.FileInfo) bool { return blocksOf(info) >= info.Size() }

// blocksOf returns the size of all blocks of the file in bytes.
func blocksOf(info fs.FileInfo) int64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return stat.Blocks * 512
}
