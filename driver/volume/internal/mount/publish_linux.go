// SPDX-License-Identifier: Apache-2.0

package mount

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// Publish makes the target path and bind-mounts the source on it.
func Publish(watch durable.Watch, source *os.File, targetPath string, block bool, flags Flags) error {
	at, err := OpenPlace(targetPath)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := watch.Do("publish: make target", func() error { return at.Make(block) }); err != nil {
		return err
	}
	open := at.Directory
	if block {
		open = at.File
	}
	where, err := open()
	if err != nil {
		return err
	}
	defer where.Close()
	return watch.Do("publish: bind", func() error { return Bind(source, where, flags) })
}

// PublishDirectory bind-mounts the staged file system on a directory, read-only if requested.
func PublishDirectory(watch durable.Watch, stagingPath, targetPath string, readOnly bool) error {
	at, err := OpenPlace(stagingPath)
	if err != nil {
		return err
	}
	defer at.Close()
	source, err := at.Directory()
	if err != nil {
		return err
	}
	defer source.Close()
	flags, err := ParseFlags(nil, readOnly)
	if err != nil {
		return err
	}
	return Publish(watch, source, targetPath, false, flags)
}

// Unpublish unmounts all mounts of the volume at the target path, and removes the path unless something else is mounted
// there.
func Unpublish(ctx context.Context, watch durable.Watch, targetPath string, own Owner) (unmounted bool, err error) {
	unmounted, err = UnmountOwn(targetPath, own, func() error {
		return watch.Do("unpublish: unbind", func() error { return Unmount(ctx, targetPath) })
	})
	if err != nil {
		return unmounted, err
	}
	at, err := OpenPlace(targetPath)
	if errors.Is(err, fs.ErrNotExist) {
		return unmounted, nil
	}
	if err != nil {
		return unmounted, err
	}
	defer at.Close()
	return unmounted, RemoveUnlessMounted(watch, "unpublish: remove target", at)
}

// RemoveUnlessMounted removes the directory or file that a volume was mounted on, unless something else is mounted there.
func RemoveUnlessMounted(watch durable.Watch, step string, at *Place) error {
	if left, err := At(at.Path); err != nil || left != nil {
		return err
	}
	return watch.Do(step, at.Remove)
}
