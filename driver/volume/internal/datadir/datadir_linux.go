// SPDX-License-Identifier: Apache-2.0

package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/csi-topo/csi-topo/driver/durable"
	"github.com/csi-topo/csi-topo/driver/volume"
)

// The directories below the data directory.
const (
	Volumes   = "volumes"
	Snapshots = "snapshots"
	// Trash holds deleted directories that could not be removed completely.
	Trash = "trash"
)

// Directory is the data directory. Every call reopens it, so that a node may start before
// it is mounted and notices when it is missing.
type Directory struct {
	// Path is the path that the administrator chose.
	Path string
	// Watch is notified of every step that outlives the process; nil does nothing.
	Watch durable.Watch
}

// Make makes the directories, for the user of this process alone. Only the controller may call it: a directory made by a
// node, as root, would shut the controller out.
func (d Directory) Make(names ...string) error {
	if err := d.Watch.Do("data: make directory", func() error { return os.MkdirAll(d.Path, 0o700) }); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names {
		err := d.Watch.Do("data: make "+name, func() error { return root.Mkdir(name, 0o700) })
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("making the directory of %s: %w", name, err)
		}
		dir, err := OpenDir(root, name)
		if err != nil {
			return err
		}
		if err := dir.Close(); err != nil {
			return fmt.Errorf("closing the directory of %s: %w", name, err)
		}
	}
	return d.Sync(root, "data: sync names")
}

// open opens the data directory itself, by its configured path, which may contain links.
func (d Directory) open() (*os.Root, error) {
	root, err := os.OpenRoot(d.Path)
	if err != nil {
		// fs.ErrNotExist stays hidden: it does not mean that the volume does not exist.
		return nil, fmt.Errorf("the data directory cannot be opened, is it mounted here? %w", Hide(err))
	}
	return root, nil
}

// Dir opens a directory below the data directory; volume.ErrNotFound if it does not exist.
func (d Directory) Dir(name string) (*os.Root, error) {
	root, err := d.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := OpenDir(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the data directory %s has no %s: has the controller never run, or does it use another directory?", volume.ErrNotFound, d.Path, name)
	}
	return dir, err
}

// Sync flushes the names in the directory to disk.
func (d Directory) Sync(dir *os.Root, step string) error {
	return d.Watch.Do(step, func() error {
		file, err := dir.Open(".")
		if err != nil {
			return fmt.Errorf("opening %s: %w", dir.Name(), err)
		}
		if err := file.Sync(); err != nil {
			return errors.Join(fmt.Errorf("writing the names in %s to disk: %w", dir.Name(), err), file.Close())
		}
		return file.Close()
	})
}

// Hide returns an error with the same text that errors.Is does not match.
func Hide(err error) error { return errors.New(err.Error()) }

// Unfinished returns the name of a file or directory until it is complete.
func Unfinished(name string) string { return "." + name + ".new" }

// Unreachable returns the problem of a data directory that cannot be opened.
func Unreachable(err error) volume.Problem {
	return volume.Problem{
		Severity: volume.Inaccessible, Reason: "DataDirectoryUnreachable",
		Message: fmt.Sprintf("mount the data directory, and let the driver read it: %v", err),
	}
}

// OpenDir opens the directory with exactly that name. It refuses a link to one.
func OpenDir(parent *os.Root, name string) (*os.Root, error) {
	named, err := parent.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("looking for directory %s: %w", name, err)
	}
	if !named.IsDir() {
		return nil, replacedError(parent, name, named, "a directory")
	}
	dir, err := parent.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("opening directory %s: %w", name, err)
	}
	opened, err := dir.Stat(".")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("looking at directory %s: %w", name, err), dir.Close())
	}
	if !os.SameFile(named, opened) {
		return nil, errors.Join(replacedError(parent, name, opened, "what it was before"), dir.Close())
	}
	return dir, nil
}

// StatRegular describes the file with exactly that name. It refuses a symbolic link, and a file with several hard links,
// which may belong to something else.
func StatRegular(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, replacedError(dir, name, info, "a file")
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink != 1 {
		return nil, fmt.Errorf("%w: %s/%s has %d names, and the driver gives it this one only: remove it", volume.ErrReplaced, dir.Name(), name, stat.Nlink)
	}
	return info, nil
}

// OpenRegular opens the file that StatRegular describes.
func OpenRegular(dir *os.Root, name string, flags int) (*os.File, error) {
	named, err := StatRegular(dir, name)
	if err != nil {
		return nil, err
	}
	return OpenSame(dir, name, named, flags)
}

// OpenSame opens the file or directory that named describes, and nothing that has replaced it.
func OpenSame(dir *os.Root, name string, named fs.FileInfo, flags int) (*os.File, error) {
	// Without blocking, in case a pipe has replaced the file.
	file, err := dir.OpenFile(name, flags|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	opened, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("looking at %s: %w", name, err), file.Close())
	}
	if !os.SameFile(named, opened) {
		return nil, errors.Join(replacedError(dir, name, opened, "what it was before"), file.Close())
	}
	return file, nil
}

func replacedError(dir *os.Root, name string, found fs.FileInfo, want string) error {
	return fmt.Errorf("%w: %s/%s is not %s (its mode is %s), and the driver did not create it: remove it", volume.ErrReplaced, dir.Name(), name, want, found.Mode())
}
