// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// CheckAt implements Mounter.
func (m *LoopMounter) CheckAt(_ context.Context, id, stagingPath, targetPath string) ([]Problem, error) {
	if _, err := imageName(id); err != nil {
		return nil, err
	}
	if _, err := m.images.stat(id); err != nil {
		return []Problem{imageProblem(Inaccessible, err)}, nil
	}
	var problems []Problem
	for _, at := range []struct{ path, reason string }{{stagingPath, "NotStaged"}, {targetPath, "NotPublished"}} {
		if at.path == "" {
			continue
		}
		here, err := m.checkPath(id, at.path, at.reason)
		if err != nil {
			return nil, err
		}
		problems = append(problems, here...)
	}
	return distinct(problems), nil
}

func (m *LoopMounter) checkPath(id, path, reason string) ([]Problem, error) {
	found, err := m.find(id, path)
	if errors.Is(err, ErrNotFound) {
		return []Problem{notThere(reason, err)}, nil
	}
	if err != nil {
		return nil, err
	}
	defer found.Close()
	if found.block {
		return nil, nil // its device has the image, which is all that there is to it
	}
	return checkFileSystem(found.mount, path), nil
}

// CheckStorage implements Mounter.
func (m *LoopMounter) CheckStorage(context.Context) ([]Problem, error) {
	var problems []Problem
	dir, err := m.images.data.dir(volumesDir)
	if err != nil {
		problems = append(problems, unreachable(err))
	} else if err := dir.Close(); err != nil {
		return nil, err
	}
	control, err := os.OpenFile(loopControl, os.O_RDWR, 0)
	if err != nil {
		return append(problems, Problem{
			Severity: Inaccessible, Reason: "NoLoopDriver",
			Message: fmt.Sprintf("load the kernel module loop, and let the node plugin use it: %v", err),
		}), nil
	}
	return problems, control.Close()
}
