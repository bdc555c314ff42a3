// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/sys/mountinfo"
)

// limited opens what pods see of the volume, and limits it to its size where the
// file system can. The caller closes it.
func (m *DirMounter) limited(ctx context.Context, id string) (content *os.File, bytes int64, err error) {
	dir, err := m.dirs.open(volumesDir, id)
	if err != nil {
		return nil, 0, err
	}
	defer dir.Close()
	if bytes, err = readSize(dir); err != nil {
		return nil, 0, err
	}
	root, err := openDir(dir, contentDir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	if err := limitProject(ctx, m.watch, root, bytes); err != nil {
		return nil, 0, fmt.Errorf("limiting volume %q to %d bytes: %w", id, bytes, err)
	}
	content, err = root.Open(".")
	return content, bytes, err
}

// known answers a call that had nothing to do: ErrNotFound if there is no directory.
// Why else that cannot be opened is nothing to one who takes a volume from its node.
func (m *DirMounter) known(id string) error {
	if err := m.exists(id); errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

func (m *DirMounter) exists(id string) error {
	dir, err := m.dirs.open(volumesDir, id)
	if err != nil {
		return err
	}
	return dir.Close()
}

// find returns the mount of the volume that is seen at the path, or ErrNotFound.
func (m *DirMounter) find(id, path string) (*mountinfo.Info, error) {
	mounted, err := mountedAt(path)
	if err != nil {
		return nil, err
	}
	if mounted == nil {
		return nil, fmt.Errorf("%w: volume %q is not at %s, nothing is mounted there", ErrNotFound, id, path)
	}
	if is, err := ownsDir(id)(mounted); err != nil || !is {
		return nil, fmt.Errorf("%w: volume %q is not at %s, but %s of %s (%s) is", ErrNotFound, id, path, mounted.Root, mounted.Source, mounted.FSType)
	}
	return mounted, nil
}

// isAt tells whether the volume is at the path in the way asked; ErrIncompatible
// when the path has it in another way, or has something else.
func (m *DirMounter) isAt(id, path string, readOnly bool) (bool, error) {
	mounted, err := mountedAt(path)
	if err != nil || mounted == nil {
		return false, err
	}
	if _, err := m.find(id, path); err != nil {
		return false, fmt.Errorf("%w: %s (%s) is mounted at %s: unmount it first", ErrIncompatible, mounted.Source, mounted.FSType, path)
	}
	if isReadOnly(mounted) != readOnly {
		return false, fmt.Errorf("%w: volume %q is at %s, read-only: %t, asked is read-only: %t: take it away first", ErrIncompatible, id, path, isReadOnly(mounted), readOnly)
	}
	return true, nil
}

// ownsDir tells of a mount whether it is of what pods see of the volume, by the
// directory that is mounted, which has the volume's name also in the trash.
func ownsDir(id string) owns {
	return func(mounted *mountinfo.Info) (bool, error) {
		root := strings.TrimSuffix(mounted.Root, "//deleted")
		name := filepath.Base(filepath.Dir(root))
		return filepath.Base(root) == contentDir && (name == id+".dir" || strings.HasPrefix(name, id+".dir.")), nil
	}
}
