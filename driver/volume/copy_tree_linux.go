// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// maximumDepth bounds how deep a tree may be: each level takes two open files.
const maximumDepth = 1000

// copyTree copies what is in a directory, and what the directory itself is like:
// modes, owners as far as this process may give files away, times and extended
// attributes. Symbolic links are copied as such, hard links become files of their
// own. ErrRefused for what cannot be copied.
func copyTree(ctx context.Context, to, from *os.Root, depth int) error {
	if depth > maximumDepth {
		return fmt.Errorf("%w: %s is more than %d directories deep: it cannot be copied", ErrRefused, from.Name(), maximumDepth)
	}
	source, err := from.Open(".")
	if err != nil {
		return unreadable(from.Name(), err)
	}
	defer source.Close()
	target, err := to.Open(".")
	if err != nil {
		return err
	}
	defer target.Close()
	entries, err := source.ReadDir(-1)
	if err != nil {
		return unreadable(from.Name(), err)
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := copyEntry(ctx, to, target, from, entry.Name(), depth); err != nil {
			return err
		}
	}
	info, err := source.Stat()
	if err != nil {
		return unreadable(from.Name(), err)
	}
	return copyAttributes(target, source, info)
}

func copyEntry(ctx context.Context, to *os.Root, target *os.File, from *os.Root, name string, depth int) error {
	info, err := from.Lstat(name)
	if err != nil {
		return unreadable(from.Name()+"/"+name, err)
	}
	switch info.Mode().Type() {
	case fs.ModeDir:
		return copyDir(ctx, to, from, name, depth)
	case 0:
		return copyFile(ctx, to, from, name, info)
	case fs.ModeSymlink:
		return copyLink(to, target, from, name, info)
	case fs.ModeNamedPipe:
		return copyNode(target, name, info, unix.S_IFIFO)
	case fs.ModeSocket:
		return copyNode(target, name, info, unix.S_IFSOCK)
	default:
		return fmt.Errorf("%w: %s/%s is a device (its mode is %s), which is not copied: remove it", ErrRefused, from.Name(), name, info.Mode())
	}
}

func copyDir(ctx context.Context, to, from *os.Root, name string, depth int) error {
	source, err := openDir(from, name)
	if err != nil {
		return unreadable(from.Name()+"/"+name, err)
	}
	defer source.Close()
	if err := to.Mkdir(name, 0o700); err != nil {
		return err
	}
	target, err := openDir(to, name)
	if err != nil {
		return err
	}
	defer target.Close()
	return copyTree(ctx, target, source, depth+1)
}

func copyFile(ctx context.Context, to, from *os.Root, name string, info fs.FileInfo) error {
	source, err := openSame(from, name, info, os.O_RDONLY)
	if err != nil {
		return unreadable(from.Name()+"/"+name, err)
	}
	defer source.Close()
	target, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = clone(target, source)
	if errors.Is(err, errors.ErrUnsupported) {
		err = copySparse(ctx, target, source, info.Size())
	}
	if err == nil {
		err = copyAttributes(target, source, info)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("copying %s/%s: %w", from.Name(), name, err), target.Close())
	}
	return target.Close()
}

func copyLink(to *os.Root, target *os.File, from *os.Root, name string, info fs.FileInfo) error {
	where, err := from.Readlink(name)
	if err != nil {
		return unreadable(from.Name()+"/"+name, err)
	}
	if err := to.Symlink(where, name); err != nil {
		return err
	}
	return copyNameAttributes(target, name, info)
}

// copyNode makes a pipe, or a socket on which nobody listens.
func copyNode(target *os.File, name string, info fs.FileInfo, kind uint32) error {
	if err := unix.Mknodat(int(target.Fd()), name, kind|0o600, 0); err != nil {
		return fmt.Errorf("making %s/%s: %w", target.Name(), name, err)
	}
	if err := copyNameAttributes(target, name, info); err != nil {
		return err
	}
	if err := unix.Fchmodat(int(target.Fd()), name, uint32(info.Mode().Perm()), 0); err != nil {
		return fmt.Errorf("giving %s/%s its mode: %w", target.Name(), name, err)
	}
	return nil
}

// unreadable says what keeps a tree from being copied.
func unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %s cannot be read by the user %d of the driver: let everybody read it, or give the driver CAP_DAC_READ_SEARCH: %w", ErrRefused, path, syscall.Geteuid(), err)
	}
	return fmt.Errorf("reading %s: %w", path, err)
}
