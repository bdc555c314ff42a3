// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
	"github.com/csi-topo/csi-topo/driver/volume/internal/mount"
)

// CheckAt implements volume.Mounter. A volume without an image is known as long as something is mounted at one of its
// paths.
func (m *Mounter) CheckAt(_ context.Context, id, stagingPath, targetPath string) ([]volume.Problem, error) {
	if _, err := imageName(id); err != nil {
		return nil, err
	}
	if _, err := m.images.stat(id); err != nil {
		if errors.Is(err, volume.ErrNotFound) {
			paths := []string{stagingPath, targetPath}
			if stagingPath != "" {
				paths = append(paths, devicePath(stagingPath))
			}
			if used, usedErr := mount.Any(paths...); usedErr != nil || !used {
				return nil, errors.Join(err, usedErr)
			}
		}
		return []volume.Problem{imageProblem(volume.Inaccessible, err)}, nil
	}
	return mount.CheckPaths(stagingPath, targetPath, func(path string) ([]volume.Problem, error) {
		found, err := m.find(id, path)
		if err != nil {
			return nil, err
		}
		defer found.Close()
		if found.block {
			return nil, nil // the device has the image, and nothing else can be wrong
		}
		return mount.CheckFileSystem(found.mount, path), nil
	})
}

// CheckStorage implements volume.Mounter.
func (m *Mounter) CheckStorage(context.Context) ([]volume.Problem, error) {
	var problems []volume.Problem
	dir, err := m.images.data.Dir(datadir.Volumes)
	if err != nil {
		problems = append(problems, datadir.Unreachable(err))
	} else if err := dir.Close(); err != nil {
		return nil, err
	}
	control, err := os.OpenFile(loopControl, os.O_RDWR, 0)
	if err != nil {
		return append(problems, volume.Problem{
			Severity: volume.Inaccessible, Reason: "NoLoopDriver",
			Message: fmt.Sprintf("load the kernel module loop, and let the node plugin use it: %v", err),
		}), nil
	}
	return problems, control.Close()
}
