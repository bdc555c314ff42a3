// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/csi-topo/csi-topo/driver/durable"
)

// publish makes the target path and binds the source to it.
func publish(watch durable.Watch, source *os.File, targetPath string, block bool, flags mountFlags) error {
	at, err := openPlace(targetPath)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := watch.Do("publish: make target", func() error { return at.make(block) }); err != nil {
		return err
	}
	open := at.dir
	if block {
		open = at.file
	}
	where, err := open()
	if err != nil {
		return err
	}
	defer where.Close()
	return watch.Do("publish: bind", func() error { return bind(source, where, flags) })
}

// publishDir binds what is staged to a directory, with less access if asked.
func publishDir(watch durable.Watch, stagingPath, targetPath string, readOnly bool) error {
	at, err := openPlace(stagingPath)
	if err != nil {
		return err
	}
	defer at.Close()
	source, err := at.dir()
	if err != nil {
		return err
	}
	defer source.Close()
	flags, err := parseMountFlags(nil, readOnly)
	if err != nil {
		return err
	}
	return publish(watch, source, targetPath, false, flags)
}

// unpublish unbinds the target path as often as the volume is there, and removes it
// unless something else is.
func unpublish(ctx context.Context, watch durable.Watch, targetPath string, own owns) (unmounted bool, err error) {
	unmounted, err = unmountOwn(targetPath, own, func() error {
		return watch.Do("unpublish: unbind", func() error { return unmount(ctx, targetPath) })
	})
	if err != nil {
		return unmounted, err
	}
	at, err := openPlace(targetPath)
	if errors.Is(err, fs.ErrNotExist) {
		return unmounted, nil
	}
	if err != nil {
		return unmounted, err
	}
	defer at.Close()
	return unmounted, removeUnlessMounted(watch, "unpublish: remove target", at)
}

// removeUnlessMounted removes a directory or file that a volume was bound to, unless
// something else is.
func removeUnlessMounted(watch durable.Watch, step string, at *place) error {
	if left, err := mountedAt(at.path); err != nil || left != nil {
		return err
	}
	return watch.Do(step, at.remove)
}
