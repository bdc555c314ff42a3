// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// The directories below the data directory.
const (
	volumesDir   = "volumes"
	snapshotsDir = "snapshots"
	// trashDir has what was deleted and could not be removed whole.
	trashDir = "trash"
)

// data is the data directory, which all nodes and the controller share. Every
// call opens it anew, so that a node may start before it is mounted and notices
// when it is missing. Nothing in it is ever reached through a symbolic
// link: whoever may write there could lead root elsewhere by one.
type data struct {
	path  string
	watch durable.Watch
}

// make makes the directories, for the user of this process alone. It is the
// controller's to do: one made by a node, as root, would shut the controller out.
func (d data) make(names ...string) error {
	if err := d.watch.Do("data: make directory", func() error { return os.MkdirAll(d.path, 0o700) }); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names {
		err := d.watch.Do("data: make "+name, func() error { return root.Mkdir(name, 0o700) })
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("making the directory of %s: %w", name, err)
		}
		dir, err := openDir(root, name)
		if err != nil {
			return err
		}
		if err := dir.Close(); err != nil {
			return fmt.Errorf("closing the directory of %s: %w", name, err)
		}
	}
	return d.sync(root, "data: sync names")
}

// open opens the data directory itself, whose path is the administrator's.
func (d data) open() (*os.Root, error) {
	root, err := os.OpenRoot(d.path)
	if err != nil {
		// fs.ErrNotExist stays hidden: it does not mean that there is no volume.
		return nil, fmt.Errorf("the data directory cannot be opened, is it mounted here? %w", hidden{err})
	}
	return root, nil
}

// dir opens a directory below the data directory; ErrNotFound where there is none.
func (d data) dir(name string) (*os.Root, error) {
	root, err := d.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := openDir(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the data directory %s has no %s: has the controller never run, or is the directory not the one it has?", ErrNotFound, d.path, name)
	}
	return dir, err
}

// sync has the names in the directory on disk when it returns.
func (d data) sync(dir *os.Root, step string) error {
	return d.watch.Do(step, func() error {
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

// hidden is an error of which only the text is passed on.
type hidden struct{ cause error }

func (e hidden) Error() string { return e.cause.Error() }

// openDir opens the directory that has the name itself, and is no link to one.
func openDir(parent *os.Root, name string) (*os.Root, error) {
	named, err := parent.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("looking for directory %s: %w", name, err)
	}
	if !named.IsDir() {
		return nil, notOurs(parent, name, named, "a directory")
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
		return nil, errors.Join(notOurs(parent, name, opened, "what it was before"), dir.Close())
	}
	return dir, nil
}

// statRegular looks at the file that has the name itself. A link to one is refused,
// and so is a file with a second name, which may be somebody else's.
func statRegular(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, notOurs(dir, name, info, "a file")
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink != 1 {
		return nil, fmt.Errorf("%w: %s/%s has %d names and should have this one only: remove it, somebody else put it there", ErrReplaced, dir.Name(), name, stat.Nlink)
	}
	return info, nil
}

// openRegular opens the file that statRegular looks at.
func openRegular(dir *os.Root, name string, flags int) (*os.File, error) {
	named, err := statRegular(dir, name)
	if err != nil {
		return nil, err
	}
	return openSame(dir, name, named, flags)
}

// openSame opens the file or directory that was looked at, and nothing that took its place.
func openSame(dir *os.Root, name string, named fs.FileInfo, flags int) (*os.File, error) {
	// Not blocking, lest a pipe that was put in its place just now holds the call up.
	file, err := dir.OpenFile(name, flags|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	opened, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("looking at %s: %w", name, err), file.Close())
	}
	if !os.SameFile(named, opened) {
		return nil, errors.Join(notOurs(dir, name, opened, "what it was before"), file.Close())
	}
	return file, nil
}

func notOurs(dir *os.Root, name string, found fs.FileInfo, want string) error {
	return fmt.Errorf("%w: %s/%s is not %s (its mode is %s): remove it, somebody else put it there", ErrReplaced, dir.Name(), name, want, found.Mode())
}
