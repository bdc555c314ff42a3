package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"k8s.io/mount-utils"
)

// defaultFSType is what a volume gets when no file system is asked for.
const defaultFSType = "xfs"

// Stage attaches the image to a loop device, makes a file system where there is
// none and mounts it. The device lives as long as the mount does.
func (m *LoopMounter) Stage(ctx context.Context, id, stagingPath string, o StageOptions) error {
	o, err := o.completed()
	if err != nil {
		return err
	}
	if info, err := os.Stat(stagingPath); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: the staging path must be a directory that the caller made: %s is none", ErrInvalid, stagingPath)
	}
	staged, err := m.stagedAs(id, stagingPath, o)
	if err != nil || staged {
		return err
	}
	image, err := m.images.open(id, o.ReadOnly)
	if err != nil {
		return err
	}
	defer image.Close()
	device, err := attach(ctx, image, o.ReadOnly)
	if err != nil {
		return err
	}
	defer device.Close()
	if err := m.mount.FormatAndMount(device.path(), stagingPath, o.FSType, o.MountFlags); err != nil {
		return fmt.Errorf("mounting volume %q at %s: %w", id, stagingPath, classify(err))
	}
	return nil
}

// completed fills in what was not asked for and refuses what cannot be done.
func (o StageOptions) completed() (StageOptions, error) {
	if o.FSType == "" {
		o.FSType = defaultFSType
	}
	if o.FSType != "xfs" && o.FSType != "ext4" {
		return o, fmt.Errorf("%w: file system %q is not supported: ask for xfs or ext4", ErrInvalid, o.FSType)
	}
	o.MountFlags = slices.Clone(o.MountFlags)
	if slices.Contains(o.MountFlags, "ro") {
		o.ReadOnly = true
	} else if o.ReadOnly {
		o.MountFlags = append(o.MountFlags, "ro")
	}
	return o, nil
}

// stagedAs tells whether the volume is mounted at the path in the way asked;
// ErrIncompatible when the path has it in another way, or has something else.
func (m *LoopMounter) stagedAs(id, path string, o StageOptions) (bool, error) {
	found, err := mountedAt(path)
	if err != nil || found == nil {
		return false, err
	}
	_, device, err := m.volumeAt(id, path)
	if errors.Is(err, ErrNotFound) {
		if _, missing := m.images.stat(id); missing != nil {
			return false, missing
		}
		return false, fmt.Errorf("%w: %s (%s) is mounted at %s: unmount it first", ErrIncompatible, found.Source, found.FSType, path)
	}
	if err != nil {
		return false, err
	}
	defer device.Close()
	if found.FSType != o.FSType || isReadOnly(found) != o.ReadOnly {
		return false, fmt.Errorf("%w: volume %q is mounted at %s as %s (read-only: %t), asked is %s (read-only: %t): unstage it first",
			ErrIncompatible, id, path, found.FSType, isReadOnly(found), o.FSType, o.ReadOnly)
	}
	return true, nil
}

// classify gives the failures of a mount that are the caller's their error.
func classify(err error) error {
	var failed mount.MountError
	if !errors.As(err, &failed) {
		return err
	}
	switch failed.Type {
	case mount.FilesystemMismatch, mount.UnformattedReadOnly, mount.HasFilesystemErrors:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	default:
		return err
	}
}

// Unstage unmounts the staging path, by which the kernel frees the loop device.
// ErrNotFound for a volume that has neither a mount there nor an image.
func (m *LoopMounter) Unstage(_ context.Context, id, stagingPath string) error {
	unmounted, err := m.unmountAll(stagingPath)
	if err != nil || unmounted {
		return err
	}
	_, err = m.images.stat(id)
	return err
}
