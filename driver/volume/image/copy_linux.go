// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// copyLockTimeout limits how long a copy that is not a clone waits for the image to be free.
const copyLockTimeout = time.Second

// imageSource is an image that is being copied, and locked meanwhile so that it cannot be attached.
type imageSource struct {
	file *os.File
	info fs.FileInfo
	// inUse is true if a writer has attached the image: it may change at any time.
	inUse bool
}

// openOrigin opens the source of a new image; nil for no origin.
func (i *Provisioner) openOrigin(from volume.Origin) (*imageSource, error) {
	switch {
	case from.SnapshotID != "" && from.VolumeID != "":
		return nil, fmt.Errorf("%w: a volume is a copy of a snapshot or of a volume, not of both", volume.ErrInvalid)
	case from.SnapshotID != "":
		return i.openSource(datadir.Snapshots, from.SnapshotID)
	case from.VolumeID != "":
		return i.openSource(datadir.Volumes, from.VolumeID)
	default:
		return nil, nil
	}
}

func (i *Provisioner) openSource(where, id string) (*imageSource, error) {
	file, err := i.openIn(where, id, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	// A writer holds the lock exclusively as long as the image is attached.
	err = unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	inUse := errors.Is(err, unix.EWOULDBLOCK)
	if err != nil && !inUse {
		return nil, errors.Join(fmt.Errorf("locking %s: %w", file.Name(), err), file.Close())
	}
	return &imageSource{file: file, info: info, inUse: inUse}, nil
}

// Close closes the source; a nil source has nothing to close.
func (s *imageSource) Close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

func (s *imageSource) size() int64 { return s.info.Size() }

// copyTo copies the state of the image at one moment into an empty file. If the file system supports it, the two share
// their blocks until one is written to.
func (s *imageSource) copyTo(ctx context.Context, to *os.File, allocated bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := clone(to, s.file)
	if errors.Is(err, errors.ErrUnsupported) {
		if err := s.lock(ctx); err != nil {
			return err
		}
		err = copySparse(ctx, to, s.file, s.size())
	}
	if err != nil {
		return fmt.Errorf("copying %s: %w", s.file.Name(), err)
	}
	if allocated || isAllocated(s.info) {
		if err := unshare(to, s.size()); err != nil {
			return err
		}
	}
	formatted, err := isFormatted(s.file)
	if err != nil || !formatted {
		return err
	}
	return markFormatted(to)
}

// lock keeps writers away. A writer that has just ended may still hold the image for a moment.
func (s *imageSource) lock(ctx context.Context) error {
	if !s.inUse {
		return nil
	}
	err := lock(ctx, s.file, unix.LOCK_SH, copyLockTimeout)
	if errors.Is(err, volume.ErrRefused) {
		return fmt.Errorf("%w, or put the data directory on a file system that clones files in one moment (XFS or Btrfs): here a copy takes time, and would not be of a single moment", err)
	}
	return err
}

// unshare gives the file separate blocks. A write to a shared block needs a new one, which must not happen in an
// allocated image.
func unshare(file *os.File, bytes int64) error {
	err := unix.Fallocate(int(file.Fd()), unix.FALLOC_FL_UNSHARE_RANGE, 0, bytes)
	if err != nil && !errors.Is(err, errors.ErrUnsupported) { // such a file system never shares blocks, or always
		return fmt.Errorf("giving %s separate blocks: %w", file.Name(), err)
	}
	return nil
}
