// SPDX-License-Identifier: Apache-2.0

package dir

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// Check implements volume.Provisioner.
func (d *Provisioner) Check(_ context.Context, id string, size volume.Size) ([]volume.Problem, error) {
	if _, err := dirName(id); err != nil {
		return nil, err
	}
	dir, err := d.open(datadir.Volumes, id)
	if err != nil {
		return []volume.Problem{dirProblem(volume.DataLoss, err)}, nil
	}
	defer dir.Close()
	content, err := datadir.OpenDir(dir, contentDir)
	if err != nil {
		return []volume.Problem{{
			Severity: volume.DataLoss, Reason: "DirectoryMissing",
			Message: fmt.Sprintf("the directory %[2]s of %[1]s is missing, restore the volume from a snapshot: %[3]v", dir.Name(), contentDir, err),
		}}, nil
	}
	defer content.Close()
	bytes, err := readSize(dir)
	if err != nil || bytes < size.Bytes {
		return []volume.Problem{sizeProblem(dir, bytes, size.Bytes, err)}, nil
	}
	return nil, nil
}

// dirProblem returns the problem for an error of opening the directory of a volume.
func dirProblem(severity volume.Severity, err error) volume.Problem {
	switch {
	case errors.Is(err, volume.ErrNotFound):
		return volume.Problem{Severity: severity, Reason: "DirectoryMissing", Message: err.Error()}
	case errors.Is(err, volume.ErrRefused):
		return volume.Problem{Severity: volume.Inaccessible, Reason: "DirectoryReplaced", Message: err.Error()}
	default:
		return datadir.Unreachable(err)
	}
}

func sizeProblem(dir *os.Root, found, want int64, err error) volume.Problem {
	message := fmt.Sprintf("%s is for %d bytes and should be for %d: expand the volume", dir.Name(), found, want)
	if err != nil {
		message = fmt.Sprintf("%s does not say for how many bytes it is, which should be %d: %v", dir.Name(), want, err)
	}
	return volume.Problem{Severity: volume.Degraded, Reason: "DirectorySizeWrong", Message: message}
}
