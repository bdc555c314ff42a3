// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// Place is the destination of a path of the caller: a name in a directory. The directory is
// the caller's, who may reach it by links; the name itself is never followed.
type Place struct {
	// Path is the absolute path, without . and .. in it.
	Path string

	parent *os.Root
	name   string
}

// OpenPlace opens the directory that contains the path; fs.ErrNotExist if it does not exist, volume.ErrInvalid if it is
// not a directory.
func OpenPlace(path string) (*Place, error) {
	clean := filepath.Clean(path)
	if !filepath.IsAbs(clean) || clean == "/" {
		return nil, fmt.Errorf("%w: want a path below /, got %q", volume.ErrInvalid, path)
	}
	dir := filepath.Dir(clean)
	parent, err := os.OpenRoot(dir)
	if err == nil {
		return &Place{Path: clean, parent: parent, name: filepath.Base(clean)}, nil
	}
	// Only the text of OpenRoot's error shows that something is not a directory.
	if info, failed := os.Stat(dir); failed == nil && !info.IsDir() {
		return nil, fmt.Errorf("%w: nothing can exist at %s: %s is not a directory (its mode is %s)", volume.ErrInvalid, path, dir, info.Mode())
	}
	return nil, fmt.Errorf("opening the directory that %s is in: %w", path, err)
}

// OpenStaging opens the staging path, which has to be a directory that the caller made: volume.ErrInvalid if it is
// anything else, even a link to a directory.
func OpenStaging(path string) (*os.File, error) {
	at, err := OpenPlace(path)
	if err == nil {
		defer at.Close()
		var dir *os.File
		if dir, err = at.Directory(); err == nil {
			return dir, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the staging path must be a directory that the caller created: %w", volume.ErrInvalid, err)
	}
	return nil, err
}

// PlaceIn returns the name in a directory that is open.
func PlaceIn(dir *os.File, name string) (*Place, error) {
	parent, err := os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", dir.Fd()))
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", dir.Name(), err)
	}
	return &Place{Path: filepath.Join(dir.Name(), name), parent: parent, name: name}, nil
}

// Close closes the directory.
func (p *Place) Close() error { return p.parent.Close() }

// Directory opens the directory at the place, to mount on; volume.ErrInvalid if it is anything else.
func (p *Place) Directory() (*os.File, error) {
	return p.open("a directory", fs.FileInfo.IsDir)
}

// File opens the empty file at the place, to mount on. It returns volume.ErrInvalid for anything else: a file with
// content is not the driver's.
func (p *Place) File() (*os.File, error) {
	return p.open("an empty file", func(info fs.FileInfo) bool { return !info.IsDir() && isTarget(info) })
}

// open opens the mount, file or directory at the place.
func (p *Place) open(what string, is func(fs.FileInfo) bool) (*os.File, error) {
	file, err := p.parent.OpenFile(p.name, unix.O_PATH|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", p.Path, err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("looking at %s: %w", p.Path, err), file.Close())
	}
	if !is(info) {
		return nil, errors.Join(fmt.Errorf("%w: %s must be %s, and its mode is %s and its size %d bytes", volume.ErrInvalid, p.Path, what, info.Mode(), info.Size()), file.Close())
	}
	return file, nil
}

// Make makes a directory, or a file to bind-mount a device on; anything that exists stays.
func (p *Place) Make(block bool) error {
	if !block {
		if err := p.parent.Mkdir(p.name, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("making the directory %s: %w", p.Path, err)
		}
		return nil
	}
	file, err := p.parent.OpenFile(p.name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("making the file %s: %w", p.Path, err)
	}
	return file.Close()
}

// Remove removes an empty directory or file, as Make makes it, and nothing else. It succeeds if nothing is there.
func (p *Place) Remove() error {
	info, err := p.parent.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at %s: %w", p.Path, err)
	}
	if !isTarget(info) {
		return fmt.Errorf("%w: %s is neither a directory nor an empty file (its mode is %s): this driver did not create it, so remove it yourself", volume.ErrInvalid, p.Path, info.Mode())
	}
	err = p.parent.Remove(p.name)
	switch {
	case errors.Is(err, unix.ENOTEMPTY):
		return fmt.Errorf("%w: there is something in %s: this driver did not create it, so remove it yourself", volume.ErrInvalid, p.Path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("removing %s: %w", p.Path, err)
	}
	return nil
}

// isTarget reports whether a volume may be mounted on the file or directory.
func isTarget(info fs.FileInfo) bool {
	return info.IsDir() || (info.Mode().IsRegular() && info.Size() == 0)
}
