// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Check implements Provisioner.
func (d *Dirs) Check(_ context.Context, id string, size Size) ([]Problem, error) {
	if _, err := dirName(id); err != nil {
		return nil, err
	}
	dir, err := d.open(volumesDir, id)
	if err != nil {
		return []Problem{dirProblem(DataLoss, err)}, nil
	}
	defer dir.Close()
	content, err := openDir(dir, contentDir)
	if err != nil {
		return []Problem{{
			Severity: DataLoss, Reason: "DirectoryMissing",
			Message: fmt.Sprintf("the directory %[2]s of %[1]s is missing, restore the volume from a snapshot: %[3]v", dir.Name(), contentDir, err),
		}}, nil
	}
	defer content.Close()
	bytes, err := readSize(dir)
	if err != nil || bytes < size.Bytes {
		return []Problem{sizeProblem(dir, bytes, size.Bytes, err)}, nil
	}
	return nil, nil
}

// dirProblem is what keeps the directory of a volume from being opened.
func dirProblem(severity Severity, err error) Problem {
	switch {
	case errors.Is(err, ErrNotFound):
		return Problem{Severity: severity, Reason: "DirectoryMissing", Message: err.Error()}
	case errors.Is(err, ErrRefused):
		return Problem{Severity: Inaccessible, Reason: "DirectoryReplaced", Message: err.Error()}
	default:
		return unreachable(err)
	}
}

func sizeProblem(dir *os.Root, found, want int64, err error) Problem {
	message := fmt.Sprintf("%s is for %d bytes and should be for %d: expand the volume", dir.Name(), found, want)
	if err != nil {
		message = fmt.Sprintf("%s does not say for how many bytes it is, which should be %d: %v", dir.Name(), want, err)
	}
	return Problem{Severity: Degraded, Reason: "DirectorySizeWrong", Message: message}
}
