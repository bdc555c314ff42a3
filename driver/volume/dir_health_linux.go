// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// CheckAt implements Mounter.
func (m *DirMounter) CheckAt(_ context.Context, id, stagingPath, targetPath string) ([]Problem, error) {
	if _, err := dirName(id); err != nil {
		return nil, err
	}
	dir, err := m.dirs.open(volumesDir, id)
	if err != nil {
		return []Problem{dirProblem(Inaccessible, err)}, nil
	}
	defer dir.Close()
	var problems []Problem
	for _, at := range []struct{ path, reason string }{{stagingPath, "NotStaged"}, {targetPath, "NotPublished"}} {
		if at.path == "" {
			continue
		}
		mounted, err := m.find(id, at.path)
		switch {
		case errors.Is(err, ErrNotFound):
			problems = append(problems, notThere(at.reason, err))
		case err != nil:
			return nil, err
		default:
			problems = append(problems, checkFileSystem(mounted, at.path)...)
		}
	}
	unlimited, err := checkLimits(dir)
	return distinct(append(problems, unlimited...)), err
}

// CheckStorage implements Mounter.
func (m *DirMounter) CheckStorage(context.Context) ([]Problem, error) {
	dir, err := m.dirs.data.dir(volumesDir)
	if err != nil {
		return []Problem{unreachable(err)}, nil
	}
	defer dir.Close()
	return checkLimits(dir)
}

// checkLimits looks for a file system that does not hold directories to their size.
func checkLimits(dir *os.Root) ([]Problem, error) {
	file, err := dir.Open(".")
	if err != nil {
		return []Problem{unreachable(err)}, nil
	}
	defer file.Close()
	limits, err := limitsProjects(file)
	if err != nil || limits {
		return nil, err
	}
	return []Problem{{
		Severity: Degraded, Reason: "NoProjectQuota",
		Message: fmt.Sprintf("the file system of %s limits no projects, and volumes that are directories may outgrow their size: put the data directory on XFS or ext4, mounted with prjquota", dir.Name()),
	}}, nil
}
