package volume

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Publish binds the staged volume to the target path, a directory that is made
// here and whose parent is the caller's.
func (m *LoopMounter) Publish(_ context.Context, id, stagingPath, targetPath string, readOnly bool) error {
	if _, err := m.images.stat(id); err != nil {
		return err
	}
	staged, device, err := m.volumeAt(id, stagingPath)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("%w: volume %q is not staged at %s: stage it first", ErrRefused, id, stagingPath)
		}
		return err
	}
	defer device.Close()
	published, err := mountedAt(targetPath)
	if err != nil {
		return err
	}
	if published != nil {
		same := published.Major == staged.Major && published.Minor == staged.Minor
		if same && isReadOnly(published) == (readOnly || isReadOnly(staged)) {
			return nil
		}
		return fmt.Errorf("%w: %s (%s, read-only: %t) is mounted at %s, asked is volume %q (read-only: %t): unpublish it first",
			ErrIncompatible, published.Source, published.FSType, isReadOnly(published), targetPath, id, readOnly)
	}
	if err := unix.Mkdir(targetPath, 0o750); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("making the target path %s: %w", targetPath, err)
	}
	options := []string{"bind"}
	if readOnly {
		options = append(options, "ro")
	}
	if err := m.mount.Mount(stagingPath, targetPath, "", options); err != nil {
		// A bind that could not be made read-only must not be left writable.
		_, undone := m.unmountAll(targetPath)
		return fmt.Errorf("binding %s to %s: %w", stagingPath, targetPath, errors.Join(err, undone, removeDir(targetPath)))
	}
	return nil
}

// Unpublish unbinds the target path and removes the directory, but never what is
// in it. ErrNotFound for a volume that has neither a mount there nor an image.
func (m *LoopMounter) Unpublish(_ context.Context, id, targetPath string) error {
	unmounted, err := m.unmountAll(targetPath)
	if err != nil {
		return err
	}
	if err := removeDir(targetPath); err != nil || unmounted {
		return err
	}
	_, err = m.images.stat(id)
	return err
}

// removeDir removes an empty directory; none there is no error.
func removeDir(path string) error {
	if err := unix.Rmdir(path); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("removing the directory %s: %w", path, err)
	}
	return nil
}
