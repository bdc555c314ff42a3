// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// dirSource is the source of a copy.
type dirSource struct {
	content *os.Root
	bytes   int64
}

// Close closes the source; a nil source has nothing to close.
func (s *dirSource) Close() error {
	if s == nil {
		return nil
	}
	return s.content.Close()
}

// openOrigin opens the source of a new directory; nil for no origin.
func (d *Provisioner) openOrigin(from volume.Origin) (*dirSource, error) {
	switch {
	case from.SnapshotID != "" && from.VolumeID != "":
		return nil, fmt.Errorf("%w: a volume is a copy of a snapshot or of a volume, not of both", volume.ErrInvalid)
	case from.SnapshotID != "":
		return d.openSource(datadir.Snapshots, from.SnapshotID)
	case from.VolumeID != "":
		return d.openSource(datadir.Volumes, from.VolumeID)
	default:
		return nil, nil
	}
}

func (d *Provisioner) openSource(where, id string) (*dirSource, error) {
	dir, err := d.open(where, id)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	bytes, err := readSize(dir)
	if err != nil {
		return nil, err
	}
	content, err := datadir.OpenDir(dir, contentDir)
	if err != nil {
		return nil, err
	}
	return &dirSource{content: content, bytes: bytes}, nil
}

// write makes a directory, as a copy of the source if there is one. It gets its name
// only when it is complete and on disk.
func (d *Provisioner) write(ctx context.Context, parent *os.Root, name string, bytes int64, source *dirSource) error {
	if err := d.clear(ctx, parent, name); err != nil {
		return err
	}
	if err := d.fill(ctx, parent, datadir.Unfinished(name), bytes, source); err != nil {
		return errors.Join(err, d.clear(ctx, parent, name))
	}
	if err := d.data.Watch.Do("dir: name", func() error { return parent.Rename(datadir.Unfinished(name), name) }); err != nil {
		return fmt.Errorf("naming it: %w", err)
	}
	return d.data.Sync(parent, "dir: sync names")
}

func (d *Provisioner) fill(ctx context.Context, parent *os.Root, name string, bytes int64, source *dirSource) error {
	if err := d.data.Watch.Do("dir: make", func() error { return parent.Mkdir(name, 0o700) }); err != nil {
		return err
	}
	dir, err := datadir.OpenDir(parent, name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := d.replaceSize(dir, bytes); err != nil {
		return err
	}
	if err := d.data.Watch.Do("dir: make data", func() error { return makeContent(dir) }); err != nil {
		return err
	}
	if source != nil {
		if err := d.data.Watch.Do("dir: copy", func() error { return copyContent(ctx, dir, source.content) }); err != nil {
			return err
		}
	}
	return d.data.Sync(dir, "dir: sync")
}

// makeContent makes the directory that pods see, which users with any id may write to.
func makeContent(dir *os.Root) error {
	if err := dir.Mkdir(contentDir, 0o777); err != nil {
		return err
	}
	return dir.Chmod(contentDir, 0o777) // whatever the umask is
}

// replaceSize writes the size atomically: a reader sees either the old or the new one.
func (d *Provisioner) replaceSize(dir *os.Root, bytes int64) error {
	unfinished := datadir.Unfinished(sizeFile)
	return d.data.Watch.Do("dir: write size", func() error {
		file, err := dir.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return fmt.Errorf("making the file of the size: %w", err)
		}
		if _, err := file.WriteString(strconv.FormatInt(bytes, 10) + "\n"); err != nil {
			return errors.Join(fmt.Errorf("writing the size: %w", err), file.Close())
		}
		if err := errors.Join(file.Sync(), file.Close()); err != nil {
			return fmt.Errorf("writing the size to disk: %w", err)
		}
		return dir.Rename(unfinished, sizeFile)
	})
}

func readSize(dir *os.Root) (int64, error) {
	file, err := datadir.OpenRegular(dir, sizeFile, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		err = datadir.Hide(err) // fs.ErrNotExist would mean that the volume does not exist
	}
	if err != nil {
		return 0, fmt.Errorf("reading the size of %s: %w", dir.Name(), err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 32))
	if err != nil {
		return 0, fmt.Errorf("reading the size of %s: %w", dir.Name(), err)
	}
	bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("reading the size of %s: %w", dir.Name(), err)
	}
	return bytes, nil
}
