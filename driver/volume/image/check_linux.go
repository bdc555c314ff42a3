// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"fmt"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/internal/datadir"
)

// Check implements volume.Provisioner.
func (i *Provisioner) Check(_ context.Context, id string, size volume.Size) ([]volume.Problem, error) {
	if _, err := imageName(id); err != nil {
		return nil, err
	}
	info, err := i.stat(id)
	if err != nil {
		return []volume.Problem{imageProblem(volume.DataLoss, err)}, nil
	}
	if info.Size() < size.Bytes {
		return []volume.Problem{{
			Severity: volume.DataLoss, Reason: "ImageTruncated",
			Message: fmt.Sprintf("image %s has %d bytes and should have %d: restore the volume from a snapshot", info.Name(), info.Size(), size.Bytes),
		}}, nil
	}
	if size.Allocated && !isAllocated(info) {
		return []volume.Problem{{
			Severity: volume.Degraded, Reason: "ImageNotAllocated",
			Message: fmt.Sprintf("image %s has %d bytes of blocks and should have %d, some were given back (by fstrim, or the mount option discard): expand the volume to take them again", info.Name(), blocksOf(info), info.Size()),
		}}, nil
	}
	return nil, nil
}

// imageProblem returns the problem for an error of opening an image.
func imageProblem(severity volume.Severity, err error) volume.Problem {
	switch {
	case errors.Is(err, volume.ErrNotFound):
		return volume.Problem{Severity: severity, Reason: "ImageMissing", Message: err.Error()}
	case errors.Is(err, volume.ErrRefused):
		return volume.Problem{Severity: volume.Inaccessible, Reason: "ImageReplaced", Message: err.Error()}
	default:
		return datadir.Unreachable(err)
	}
}
