package volume

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// imagesDir is the directory below the data directory that holds the images.
const imagesDir = "volumes"

// MinimumBytes is the size below which no file system is made in an image:
// mkfs.xfs refuses less than 300 MiB.
const MinimumBytes = 300 << 20

// Images keeps each volume as a sparse file "<data>/volumes/<id>.img". The data
// directory is the same on every node, so that the controller makes the file
// that a node later attaches. An image without a file system gets one when it is
// first staged.
type Images struct {
	root *os.Root
}

var _ Provisioner = (*Images)(nil)

// OpenImages opens the images below the data directory, which it makes where it is missing.
func OpenImages(dataDir string) (*Images, error) {
	data, err := openOrMakeDir(dataDir)
	if err != nil {
		return nil, fmt.Errorf("opening the data directory: %w", err)
	}
	defer data.Close()
	if err := data.Mkdir(imagesDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("making the directory of images: %w", err)
	}
	root, err := data.OpenRoot(imagesDir)
	if err != nil {
		return nil, fmt.Errorf("opening the directory of images: %w", err)
	}
	return &Images{root: root}, nil
}

func openOrMakeDir(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// Close gives up the directory of images.
func (i *Images) Close() error { return i.root.Close() }

// Create makes the image of a volume. An image that is there already is kept if
// it has at least the given number of bytes, and an error otherwise.
func (i *Images) Create(_ context.Context, id string, bytes int64) error {
	name, err := imageName(id)
	if err != nil {
		return err
	}
	if info, err := i.root.Stat(name); err == nil {
		if info.Size() < bytes {
			return fmt.Errorf("creating image %s: one of %d bytes is there already and %d are wanted: grow it instead", name, info.Size(), bytes)
		}
		return nil
	}
	// The image gets its name only when it has its size: what has the name is whole.
	unfinished := unfinishedName(name)
	if err := i.root.Remove(unfinished); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clearing what an interrupted call left of image %s: %w", name, err)
	}
	if err := i.write(unfinished, bytes, os.O_CREATE|os.O_EXCL); err != nil {
		return fmt.Errorf("creating image %s of %d bytes: %w", name, bytes, errors.Join(err, i.root.Remove(unfinished)))
	}
	if err := i.root.Rename(unfinished, name); err != nil {
		return fmt.Errorf("naming image %s: %w", name, err)
	}
	return i.sync()
}

// Grow makes the image larger; one that is large enough is left alone.
func (i *Images) Grow(_ context.Context, id string, bytes int64) error {
	size, err := i.Size(id)
	if err != nil || size >= bytes {
		return err
	}
	name, err := imageName(id)
	if err != nil {
		return err
	}
	if err := i.write(name, bytes, 0); err != nil {
		return fmt.Errorf("growing image %s from %d to %d bytes: %w", name, size, bytes, err)
	}
	return nil
}

// Delete removes the image. A node that still has it attached keeps its data until it detaches it.
func (i *Images) Delete(_ context.Context, id string) error {
	name, err := imageName(id)
	if err != nil {
		return nil // no volume can have this id, so there is nothing to remove
	}
	// A Create that was cut off leaves an image that has not got its name yet.
	for _, name := range []string{unfinishedName(name), name} {
		if err := i.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("deleting image %s: %w", name, err)
		}
	}
	return i.sync()
}

// Size returns the size of the image in bytes, or ErrNotFound.
func (i *Images) Size(id string) (int64, error) {
	info, err := i.stat(id)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (i *Images) stat(id string) (fs.FileInfo, error) {
	name, err := imageName(id)
	if err != nil {
		return nil, err
	}
	info, err := i.root.Stat(name)
	if err != nil {
		return nil, i.missing(name, err)
	}
	return info, nil
}

// open opens the image for a loop device; the caller closes it.
func (i *Images) open(id string, readOnly bool) (*os.File, error) {
	name, err := imageName(id)
	if err != nil {
		return nil, err
	}
	mode := os.O_RDWR
	if readOnly {
		mode = os.O_RDONLY
	}
	file, err := i.root.OpenFile(name, mode, 0)
	if err != nil {
		return nil, i.missing(name, err)
	}
	return file, nil
}

func (i *Images) missing(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no image %s in %s of this node: was the volume deleted, or is the data directory not shared?", ErrNotFound, name, i.root.Name())
	}
	return fmt.Errorf("opening image %s: %w", name, err)
}

// write gives the file its size and has both on disk when it returns.
func (i *Images) write(name string, bytes int64, flags int) error {
	file, err := i.root.OpenFile(name, os.O_WRONLY|flags, 0o600)
	if err != nil {
		return err
	}
	if err := file.Truncate(bytes); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := file.Sync(); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

// sync has the names in the directory on disk when it returns.
func (i *Images) sync() error {
	dir, err := i.root.Open(".")
	if err != nil {
		return fmt.Errorf("opening the directory of images: %w", err)
	}
	if err := dir.Sync(); err != nil {
		return errors.Join(fmt.Errorf("writing the directory of images to disk: %w", err), dir.Close())
	}
	return dir.Close()
}

// imageName is the name of a volume's image. The root already keeps every name
// within the directory; an id that would need that is no volume's.
func imageName(id string) (string, error) {
	if id == "" || strings.ContainsAny(id, "/\x00") || strings.HasPrefix(id, ".") || len(id) > 128 {
		return "", fmt.Errorf("%w: no volume is called %q", ErrNotFound, id)
	}
	return id + ".img", nil
}

func unfinishedName(name string) string { return "." + name + ".new" }
