// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// CheckAt implements volume.Mounter. A volume without a directory is known as long as something is mounted at one of its
// paths.
func (m *Mounter) CheckAt(_ context.Context, id, stagingPath, targetPath string) ([]volume.Problem, error) {
	if _, err := dirName(id); err != nil {
		return nil, err
	}
	dir, err := m.dirs.open(datadir.Volumes, id)
	if err != nil {
		if errors.Is(err, volume.ErrNotFound) {
			if used, usedErr := mount.Any(stagingPath, targetPath); usedErr != nil || !used {
				return nil, errors.Join(err, usedErr)
			}
		}
		return []volume.Problem{dirProblem(volume.Inaccessible, err)}, nil
	}
	if err := dir.Close(); err != nil {
		return nil, err
	}
	return mount.CheckPaths(stagingPath, targetPath, func(path string) ([]volume.Problem, error) {
		mounted, err := m.find(id, path)
		if err != nil {
			return nil, err
		}
		return mount.CheckFileSystem(mounted, path), nil
	})
}

// CheckStorage implements volume.Mounter.
func (m *Mounter) CheckStorage(context.Context) ([]volume.Problem, error) {
	dir, err := m.dirs.data.Dir(datadir.Volumes)
	if err != nil {
		return []volume.Problem{datadir.Unreachable(err)}, nil
	}
	return nil, dir.Close()
}
